// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cltrack/error.h"

namespace cltrack {
namespace {

using gst::InitialBox;
using gst::TargetSettings;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TargetSettings, NothingSetIsNoTarget) {
  TargetSettings settings;
  settings.commit();
  EXPECT_THAT(settings.committed(), IsEmpty());
  EXPECT_EQ(settings.generation(), 0u);
}

TEST(TargetSettings, OneOfFourMeansTheOthersHaveTheirDefaults) {
  TargetSettings settings;
  settings.set_initial(InitialBox::y, 30);
  settings.commit();
  ASSERT_THAT(settings.committed(), SizeIs(1));
  EXPECT_EQ(settings.committed()[0].box, (BoundingBox{50, 30, 50, 50}));
}

TEST(TargetSettings, AllZeroIsNoTarget) {
  TargetSettings settings;
  for (const auto which : {InitialBox::x, InitialBox::y, InitialBox::width, InitialBox::height}) {
    settings.set_initial(which, 0);
  }
  settings.commit();
  EXPECT_THAT(settings.committed(), IsEmpty());
}

TEST(TargetSettings, NothingActsBeforeTheCommit) {
  TargetSettings settings;
  settings.set_initial(InitialBox::x, 1);
  settings.set_targets({{{1, 2, 3, 4}, "a"}});
  EXPECT_THAT(settings.committed(), IsEmpty());
  settings.commit();
  EXPECT_THAT(settings.committed(), SizeIs(2));
  EXPECT_EQ(settings.committed()[1].label, "a");
  EXPECT_EQ(settings.generation(), 1u);
}

TEST(TargetSettings, OnlyChangesCount) {
  TargetSettings settings;
  settings.set_targets({});
  settings.commit();
  settings.commit();
  EXPECT_EQ(settings.generation(), 1u);
  settings.set_targets({});  // the same once more asks for a fresh start
  settings.commit();
  EXPECT_EQ(settings.generation(), 2u);
}

TEST(TargetSettings, TooManyChangeNothing) {
  TargetSettings settings;
  settings.set_targets({{{1, 2, 3, 4}, "a"}, {{1, 2, 3, 4}, "b"}});
  settings.commit();
  EXPECT_THROW(settings.limit(2, 1), Error);
  settings.limit(2, 0);
  EXPECT_THROW(settings.set_targets(std::vector<gst::Target>(3)), Error);
  EXPECT_THAT(settings.targets(), SizeIs(2));
  settings.set_initial(InitialBox::x, 1);
  EXPECT_THROW(settings.commit(), Error);
  EXPECT_THAT(settings.committed(), SizeIs(2));
  EXPECT_EQ(settings.generation(), 1u);
  settings.unlimit();
  settings.set_targets(std::vector<gst::Target>(3));
  settings.commit();
  EXPECT_THAT(settings.committed(), SizeIs(4));
}

}  // namespace
}  // namespace cltrack
