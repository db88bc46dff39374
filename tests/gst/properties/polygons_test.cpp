// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/refusal.h"

namespace cltrack::gst {
namespace {

using test::refusal;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::vector<Polygon> kTwo = {{{0.1f, 0.2f}, {0.9f, 0.2f}, {0.5f, 0.8f}},
                                   {{0, 0}, {1, 0}, {1, 1}, {0, 1}}};

TEST(Polygons, AreReadAndWritten) {
  EXPECT_EQ(parse_polygons("region", "0.1,0.2 0.9,0.2 0.5,0.8; 0,0 1,0 1,1 0,1"), kTwo);
  EXPECT_EQ(parse_polygons("region", "  .1,.2\t.9,.2  .5,8e-1 ;0,0 1,0 1,1 0,1;"), kTwo);
  EXPECT_EQ(polygons_text(kTwo), "0.1,0.2 0.9,0.2 0.5,0.8; 0,0 1,0 1,1 0,1");
  EXPECT_EQ(parse_polygons("region", polygons_text(kTwo)), kTwo);
  EXPECT_THAT(parse_polygons("region", ""), IsEmpty());
  EXPECT_THAT(parse_polygons("region", " ; "), IsEmpty());
  EXPECT_EQ(polygons_text({}), "");
}

TEST(Polygons, RefuseWhatIsNoneAndSayWhy) {
  const auto expect = [](const char* text, const char* why) {
    EXPECT_THAT(refusal([&] { parse_polygons("ignore-regions", text); }),
                AllOf(HasSubstr(why), HasSubstr("ignore-regions"), HasSubstr("0 to 1")))
        << text;
  };
  expect("0,0 1,1", "fewer than three");
  expect("0,0 1,0 1,1; 0,0", "fewer than three");
  expect("0,0 1,0 1", "\"1\" is not a point");
  expect("0,0 1,0 1,1.01", "\"1,1.01\" is not a point");
  expect("0,0 1,0 1,-0.1", "is not a point");
  expect("0,0 1,0 1,nan", "is not a point");
  expect("0,0 1,0 1,inf", "is not a point");
  expect("0,0 1,0 1,1,1", "is not a point");
  expect("a,b c,d e,f", "is not a point");
  expect("10%,0 1,0 1,1", "is not a point");
}

}  // namespace
}  // namespace cltrack::gst
