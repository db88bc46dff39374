// SPDX-License-Identifier: LGPL-2.1-or-later
// save-model and load-model of cltracker.
#include <atomic>
#include <thread>

#include "../../support/temporary_folder.h"
#include "../support/matchers.h"
#include "../support/tracker_harness.h"

namespace cltrack::test {
namespace {

constexpr BoundingBox kElsewhere{30, 150, 48, 40};

bool save(TrackerHarness& harness, guint64 id, const char* location) {
  gboolean done = FALSE;
  g_signal_emit_by_name(harness.object(), "save-model", id, location, &done);
  return done;
}

guint64 load(TrackerHarness& harness, const char* location, const char* label) {
  guint64 id = 0;
  g_signal_emit_by_name(harness.object(), "load-model", location, label, &id);
  return id;
}

class ModelTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_.path() / "model.json"; }
  void learn() {
    GreyTracker harness;
    ASSERT_EQ(add_target(harness, kTarget, "thing"), 1u);
    for (int i = 0; i < 10; ++i) {
      BoundingBox box = kTarget;
      box.x += static_cast<float>(i);
      harness.pass(draw_scene(320, 240, box));
    }
    ASSERT_TRUE(save(harness, 1, path().c_str()));
  }

  TemporaryFolder folder_;
};

TEST_F(ModelTest, IsFoundByAnotherElementInAnotherPlace) {
  learn();
  GreyTracker harness;
  EXPECT_EQ(load(harness, path().c_str(), "again"), 1u);
  const auto found = regions(harness.pass(draw_scene(320, 240, kElsewhere)));
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].label, "again");
  EXPECT_GT(overlap(found[0].box, kElsewhere), 0.7f);
  const auto told = answers(harness);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].action, "added");
  EXPECT_EQ(told[0].source, "signal");
}

TEST_F(ModelTest, CountsAsATargetLikeOthers) {
  learn();
  GreyTracker harness{{"max-targets", "1"}};
  EXPECT_EQ(load(harness, path().c_str(), nullptr), 1u);
  EXPECT_EQ(load(harness, path().c_str(), nullptr), 0u);
  EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, {}))), IsEmpty());
  EXPECT_TRUE(remove_target(harness, 1));
  EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, kTarget))), IsEmpty());
}

TEST_F(ModelTest, WhatCannotBeSavedIsSaid) {
  GreyTracker harness;
  EXPECT_FALSE(save(harness, 1, path().c_str()));
  EXPECT_EQ(add_target(harness, kTarget, "thing"), 1u);
  EXPECT_FALSE(save(harness, 1, path().c_str()));  // nothing was learnt yet
  harness.pass(draw_scene(320, 240, kTarget));
  EXPECT_FALSE(save(harness, 2, path().c_str()));
  EXPECT_FALSE(save(harness, 1, nullptr));
  EXPECT_FALSE(save(harness, 1, ""));
  EXPECT_FALSE(save(harness, 1, folder_.path().c_str()));
  const auto texts = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(texts, SizeIs(6));
  EXPECT_THAT(texts[0], AllOf(HasSubstr("id 1"), HasSubstr("not there")));
  EXPECT_THAT(texts[2], HasSubstr("id 2"));
  EXPECT_THAT(texts[3], HasSubstr("location"));
  EXPECT_THAT(texts[5], HasSubstr("not a regular file"));
}

TEST_F(ModelTest, WhatCannotBeLoadedIsSaid) {
  const std::string foreign = folder_.write("picture.png", "\x89PNG");
  TrackerHarness harness;
  EXPECT_EQ(load(harness, path().c_str(), nullptr), 0u);
  EXPECT_EQ(load(harness, foreign.c_str(), nullptr), 0u);
  EXPECT_EQ(load(harness, nullptr, nullptr), 0u);
  learn();
  EXPECT_EQ(load(harness, path().c_str(), "\xff"), 0u);
  const auto texts = harness.texts(GST_MESSAGE_WARNING);
  ASSERT_THAT(texts, SizeIs(4));
  EXPECT_THAT(texts[0], AllOf(HasSubstr(path()), HasSubstr("opened")));
  EXPECT_THAT(texts[1], AllOf(HasSubstr(foreign), HasSubstr("not a saved model")));
}

// That the tracker is another one is known with the next buffer.
TEST_F(ModelTest, TemplateMatchingRefusesIt) {
  learn();
  GreyTracker harness{{"algorithm", "template"}};
  EXPECT_EQ(load(harness, path().c_str(), "again"), 1u);
  EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, kTarget))), IsEmpty());
  const auto told = answers(harness);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_EQ(told[0].action, "refused");
  EXPECT_THAT(told[0].reason, HasSubstr("saved model"));
}

TEST_F(ModelTest, IsSavedWhileBuffersFlow) {
  GreyTracker harness;
  add_target(harness, kTarget, "thing");
  harness.pass(draw_scene(320, 240, kTarget));
  std::atomic<bool> flows = true;
  std::thread saves([&] {
    while (flows) EXPECT_TRUE(save(harness, 1, path().c_str()));
  });
  for (int i = 0; i < 30; ++i) harness.pass(draw_scene(320, 240, kTarget));
  flows = false;
  saves.join();
  EXPECT_EQ(load(harness, path().c_str(), nullptr), 2u);
}

}  // namespace
}  // namespace cltrack::test
