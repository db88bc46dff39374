// SPDX-License-Identifier: LGPL-2.1-or-later
// Files of models that cltracker reads and writes: save-model, load-model and network.
#include <atomic>
#include <fstream>
#include <string>
#include <thread>

#include "../../support/random_network.h"
#include "../../support/temporary_folder.h"
#include "../support/matchers.h"
#include "../support/tracker_harness.h"
#include "cltrack/network.h"

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

class NetworkTest : public ::testing::Test {
 protected:
  std::string write(const std::string& bytes) const {
    const std::string path = folder_.path() / "tiny.network";
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  // The only error of a start with that file.
  static std::string error_with(const std::string& path, const char* property = "device",
                                const char* value = "host") {
    TrackerHarness harness;
    harness.set_state(GST_STATE_NULL);
    harness.set(property, value);
    g_object_set(harness.object(), "network", path.c_str(), nullptr);
    EXPECT_EQ(harness.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    EXPECT_THAT(errors, SizeIs(1));
    return errors.empty() ? "" : errors[0];
  }

  TemporaryFolder folder_;
  const std::string bytes_ = RandomNetwork::make(3).bytes();
};

TEST_F(NetworkTest, IsAskedOfEachFrame) {
  GreyTracker harness{{"device", "host"}, {"network", write(bytes_)}};
  ASSERT_EQ(add_target(harness, kTarget, "thing"), 1u);
  for (int i = 0; i < 5; ++i) {
    EXPECT_THAT(regions(harness.pass(draw_scene(320, 240, kTarget))), SizeIs(1));
  }
  const StructurePtr stats = structure_property(harness.object(), "stats");
  const GValue* const stages = gst_structure_get_value(stats.get(), "stages");
  const GstStructure* const last = gst_value_get_structure(
      gst_value_array_get_value(stages, gst_value_array_get_size(stages) - 1));
  EXPECT_EQ(string_of(last, "name"), "network");
  const StructurePtr placed = structure_property(harness.object(), "placement");
  EXPECT_THAT(string_of(placed.get(), "network"), HasSubstr("host"));
  harness.set_state(GST_STATE_NULL);
  harness.set("network", "");
  harness.set_state(GST_STATE_PLAYING);
  const StructurePtr without = structure_property(harness.object(), "placement");
  EXPECT_FALSE(gst_structure_has_field(without.get(), "network"));
}

TEST_F(NetworkTest, WhatIsNoneIsOneErrorThatNamesIt) {
  EXPECT_THAT(error_with(folder_.path() / "nothing.network"),
              AllOf(HasSubstr("network"), HasSubstr("nothing.network")));
  EXPECT_THAT(error_with(folder_.path()), HasSubstr("not a regular file"));
  EXPECT_THAT(error_with(write("")), HasSubstr("tiny.network"));
  EXPECT_THAT(error_with(write(bytes_.substr(0, bytes_.size() / 2))), HasSubstr("tiny.network"));
  std::string damaged = bytes_;
  damaged[damaged.size() / 2] ^= 1;
  EXPECT_THAT(error_with(write(damaged)), HasSubstr("not a model of a network"));
  EXPECT_THAT(error_with(write(std::string(Network::kLargest + 1, ' '))), HasSubstr("at most"));
}

TEST_F(NetworkTest, ItsDeviceIsOneOfAStage) {
  EXPECT_THAT(error_with(write(bytes_), "network-device", "a quantum computer"),
              AllOf(HasSubstr("network-device"), HasSubstr("a quantum computer")));
}

TEST_F(NetworkTest, IsOfTheCorrelationFilterOnly) {
  EXPECT_THAT(error_with(write(bytes_), "algorithm", "template"), HasSubstr("algorithm=tld"));
  EXPECT_THAT(error_with(write(bytes_), "motion", "median-flow"), HasSubstr("motion=correlation"));
}

}  // namespace
}  // namespace cltrack::test
