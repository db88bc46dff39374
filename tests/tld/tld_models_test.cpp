// SPDX-License-Identifier: LGPL-2.1-or-later
// Models of a TLD tracker that are saved and used again, in another scene.
#include <gtest/gtest.h>

#include <thread>

#include "cltrack/color_tracker.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/random_network.h"
#include "support/scene.h"
#include "tld/moving_target.h"
#include "tld/saved_model.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::kHeight;
using test::kWidth;
using test::path;
using test::Scene;
using test::single_threaded;

// What is learnt of the target on so many frames.
SavedModel learnt(const TldConfig& config = single_threaded(), int frames = 40) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(config);
  const std::uint64_t id = tracker->add(path(0));
  for (int i = 0; i < frames; ++i) tracker->process(scene.draw(path(i)));
  return tracker->save(id);
}

// The same target before another background.
Scene elsewhere(int width = kWidth, int height = kHeight) { return Scene(width, height, 77, 1001); }

BoundingBox larger(const BoundingBox& box, float scale) {
  return {box.x * scale, box.y * scale, box.width * scale, box.height * scale};
}

class TldModelsOn : public testing::TestWithParam<DeviceInfo> {
 protected:
  static TldConfig config() {
    TldConfig config = single_threaded();
    config.placement.device = GetParam().spec;
    return config;
  }
};

TEST_P(TldModelsOn, AreWhatTheHostLearns) { EXPECT_EQ(learnt(config()).text(), learnt().text()); }

TEST_P(TldModelsOn, AreFoundAndFollowedElsewhere) {
  const SavedModel model = SavedModel::parse(learnt(config()).text());
  Scene scene = elsewhere();
  const auto tracker = make_tld_tracker(config());
  EXPECT_EQ(tracker->add(model, "again"), 1u);
  for (int i = 0; i < 5; ++i) {
    const Track track = tracker->process(scene.draw({}))[0];
    EXPECT_EQ(track.state, TrackState::lost);
    EXPECT_EQ(track.label, "again");
  }
  for (int i = 20; i < 50; ++i) {
    const Track track = tracker->process(scene.draw(path(i)))[0];
    ASSERT_TRUE(track.has_box()) << i;
    EXPECT_GT(overlap(track.box, path(i)), 0.5f) << i;
  }
  EXPECT_GT(SavedModel::parse(tracker->save(1).text()).text().size(), 1000u);
}

INSTANTIATE_TEST_SUITE_P(Devices, TldModelsOn, testing::ValuesIn(test::devices()),
                         test::device_case_name);

// What the network's template shows is part of the model, until somebody says where the target is.
TEST(TldModels, HaveTheTemplateOfANetwork) {
  TldConfig config = single_threaded();
  config.network = Network::parse(test::RandomNetwork::constant(0.9999f, {8, 10, 12, 10}).bytes());
  const SavedModel model = learnt(config);
  const TemplatePixels shown = model.target().shown;
  EXPECT_EQ(shown.size(), std::size_t{3} * 31 * 31);
  EXPECT_TRUE(learnt().target().shown.empty()) << "there was no network";
  Scene scene = elsewhere();
  const auto tracker = make_tld_tracker(config);
  tracker->add(model);
  Track track;
  for (int i = 20; i < 30; ++i) track = tracker->process(scene.draw(path(i)))[0];
  ASSERT_TRUE(track.has_box());
  EXPECT_EQ(tracker->save(1).target().shown, shown);
  tracker->move(1, {10, 10, 40, 40});
  tracker->process(scene.draw(path(30)));
  EXPECT_NE(tracker->save(1).target().shown, shown);
}

TEST(TldModels, AreFoundInLargerFrames) {
  constexpr float scale = 1.5f;
  Scene scene = elsewhere(kWidth * 3 / 2, kHeight * 3 / 2);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(learnt());
  for (int i = 0; i < 20; ++i) {
    const Track track = tracker->process(scene.draw(larger(path(i), scale)))[0];
    ASSERT_TRUE(track.has_box()) << i;
    EXPECT_GT(overlap(track.box, larger(path(i), scale)), 0.5f) << i;
  }
}

TEST(TldModels, AreFoundByMedianFlow) {
  TldConfig config = single_threaded();
  config.motion = kMedianFlow;
  Scene scene = elsewhere();
  const auto tracker = make_tld_tracker(config);
  tracker->add(learnt());
  int found = 0;
  for (int i = 0; i < 20; ++i) {
    const Track track = tracker->process(scene.draw(path(i)))[0];
    found += track.has_box() && overlap(track.box, path(i)) > 0.5f;
  }
  EXPECT_GT(found, 15);
}

// Without a first frame of the target, motion could not follow it.
TEST(TldModels, AreFollowedFromWhereTheyAreMovedTo) {
  for (const bool learning : {true, false}) {
    Scene scene = elsewhere();
    const auto tracker = make_tld_tracker(single_threaded());
    tracker->set_learning(learning);
    tracker->add(learnt(single_threaded(), 1));
    tracker->process(scene.draw({}));
    EXPECT_TRUE(tracker->move(1, path(0)));
    for (int i = 0; i < 20; ++i) {
      const Track track = tracker->process(scene.draw(path(i)))[0];
      ASSERT_TRUE(track.has_box()) << i;
      EXPECT_GT(overlap(track.box, path(i)), 0.5f) << i;
    }
  }
}

TEST(TldModels, MayBeMovedBeforeTheFirstFrameAndRemoved) {
  Scene scene = elsewhere();
  const auto tracker = make_tld_tracker(single_threaded());
  const SavedModel model = learnt();
  EXPECT_EQ(tracker->add(model), 1u);
  EXPECT_EQ(tracker->add(model), 2u);
  EXPECT_TRUE(tracker->move(1, path(0)));
  EXPECT_TRUE(tracker->remove(2));
  const auto tracks = tracker->process(scene.draw(path(0)));
  ASSERT_EQ(tracks.size(), 1u);
  EXPECT_EQ(tracks[0].box, path(0));
  tracker->reset();
  EXPECT_TRUE(tracker->process(scene.draw(path(0))).empty());
}

TEST(TldModels, GoOnBesideOtherTargetsAndASizeThatChanges) {
  const auto tracker = make_tld_tracker(single_threaded());
  Scene scene = elsewhere(), large = elsewhere(2 * kWidth, 2 * kHeight);
  tracker->add({10, 10, 30, 30});
  tracker->process(scene.draw({}));
  tracker->add(learnt());
  tracker->process(scene.draw({}));
  for (int i = 0; i < 15; ++i) {
    const auto tracks = tracker->process(large.draw(larger(path(i), 2)));
    ASSERT_TRUE(tracks[1].has_box()) << i;
    EXPECT_GT(overlap(tracks[1].box, larger(path(i), 2)), 0.5f) << i;
  }
}

TEST(TldModels, SaveOnlyWhatWasLearnt) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  expect_rejected([&] { tracker->save(1); }, {"nothing has been learnt"});
  tracker->process(scene.draw(path(0)));
  EXPECT_FALSE(tracker->save(1).text().empty());
  expect_rejected([&] { tracker->save(2); }, {"nothing has been learnt"});
  tracker->remove(1);
  tracker->process(scene.draw(path(0)));
  expect_rejected([&] { tracker->save(1); }, {"nothing has been learnt"});
}

TEST(TldModels, OtherAlgorithmsHaveNone) {
  const SavedModel model = learnt();
  const auto matching = make_template_tracker({});
  expect_rejected([&] { matching->add(model); }, {"as a saved model"});
  expect_rejected([&] { matching->save(1); }, {"no models"});
  const auto color = make_color_tracker({});
  expect_rejected([&] { color->add(model); }, {"as a saved model"});
  TldConfig config = single_threaded();
  config.ferns = 3;
  const auto other = make_tld_tracker(config);
  expect_rejected([&] { other->add(model); }, {"3 ferns"});
}

TEST(TldModels, MayBeAddedByAnyThreadDuringFrames) {
  Scene scene = elsewhere();
  const auto tracker = make_tld_tracker(single_threaded());
  const SavedModel model = learnt(single_threaded(), 1);
  std::jthread adds([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) tracker->remove(tracker->add(model));
  });
  for (int i = 0; i < 20; ++i) tracker->process(scene.draw(path(i)));
  adds.request_stop();
  adds.join();
  EXPECT_TRUE(tracker->process(scene.draw(path(0))).empty());
}

}  // namespace
}  // namespace cltrack
