// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_tracker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/log.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_config.h"
#include "support/errors.h"
#include "support/scene.h"
#include "tld/hypotheses.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

using test::kHeight;
using test::kOutside;
using test::kWidth;
using test::path;
using test::Scene;
using test::single_threaded;

TEST(TldTracker, FollowsATargetThatMovesAndScales) {
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    Scene scene(kWidth, kHeight);
    const auto tracker = make_tld_tracker(single_threaded(seed));
    EXPECT_EQ(tracker->add(path(0), "ball"), 1u);
    int good = 0;
    for (int i = 0; i < 120; ++i) {
      const auto tracks = tracker->process(scene.draw(path(i), i * 40));
      ASSERT_EQ(tracks.size(), 1u);
      EXPECT_EQ(tracks[0].id, 1u);
      EXPECT_EQ(tracks[0].label, "ball");
      EXPECT_EQ(tracks[0].age, static_cast<std::uint64_t>(i + 1));
      good += tracks[0].has_box() && overlap(tracks[0].box, path(i)) > 0.5f;
    }
    EXPECT_GE(good, 115) << "seed " << seed;
  }
}

// The presence that was decided by is that of the evidence.
TEST(TldTracker, SaysWhatItHasDecidedOn) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  tracker->process(scene.draw(path(0)));
  EXPECT_FALSE(hypotheses_of(*tracker, 1).here) << "nothing was decided";
  for (int i = 1; i < 5; ++i) {
    const Track track = tracker->process(scene.draw(path(i)))[0];
    const Hypotheses hypotheses = hypotheses_of(*tracker, 1);
    ASSERT_TRUE(hypotheses.here);
    // What is reported lies to it as the first box did to its window.
    EXPECT_GT(overlap(hypotheses.here->box, track.box), 0.9f);
    EXPECT_EQ(reported_presence(hypotheses.here->evidence), track.confidence);
    EXPECT_EQ(hypotheses.here->presence, presence(hypotheses.here->evidence));
    EXPECT_TRUE(hypotheses.elsewhere.empty()) << "motion is sure";
  }
  std::size_t places = 0;
  for (int i = 0; i < 20; ++i) {
    tracker->process(scene.draw(BoundingBox{20, 110, 40, 40}));
    for (const Hypothesis& place : hypotheses_of(*tracker, 1).elsewhere) {
      EXPECT_EQ(place.presence, presence(place.evidence));
      ++places;
    }
  }
  EXPECT_GT(places, 0u) << "it is looked for where it has gone";
  EXPECT_FALSE(hypotheses_of(*tracker, 2).here) << "no such target";
  EXPECT_FALSE(hypotheses_of(*make_template_tracker(), 1).here) << "no presence";
}

TEST(TldTracker, TheFirstFrameReportsTheGivenBox) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add({-12, 30.5f, 60, 50});
  const Track track = tracker->process(scene.draw(BoundingBox{-12, 30.5f, 60, 50}, 7))[0];
  EXPECT_EQ(track.box, (BoundingBox{0, 30.5f, 48, 50})) << "cut off at the frame";
  EXPECT_EQ(track.state, TrackState::tracking);
  EXPECT_EQ(track.confidence, 1);
  EXPECT_EQ(track.last_seen, 7);
}

// Leaves for 20 frames and comes back somewhere else: found again within 10 frames, same id.
TEST(TldTracker, FindsATargetAgainThatLeftAndCameBack) {
  for (const std::uint64_t seed : {0u, 1u, 2u}) {
    Scene scene(kWidth, kHeight);
    const auto tracker = make_tld_tracker(single_threaded(seed));
    tracker->add(path(0));
    for (int i = 0; i < 60; ++i) tracker->process(scene.draw(path(i)));
    for (int i = 0; i < 20; ++i) tracker->process(scene.draw(std::nullopt));
    int found = -1;
    for (int i = 0; i < 30 && found < 0; ++i) {
      const BoundingBox back{20 + static_cast<float>(i), 110, 40, 40};
      const Track& track = tracker->process(scene.draw(back))[0];
      EXPECT_EQ(track.id, 1u);
      if (track.has_box() && overlap(track.box, back) > 0.5f) found = i;
    }
    EXPECT_GE(found, 0) << "seed " << seed;
    EXPECT_LT(found, 10) << "seed " << seed;
  }
}

// The first picture turning into the other one.
Frame faded(const Frame& from, const Frame& to, float part, Image& scratch) {
  scratch.resize(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const float a = from.luma.row(y)[x], b = to.luma.row(y)[x];
      scratch.row(y)[x] = static_cast<std::uint8_t>(a + part * (b - a));
    }
  }
  return {.luma = scratch.view()};
}

// The target turns into something else, so slowly that flow follows it.
std::vector<TrackState> states_while_turning(const TldConfig& config) {
  Scene target(kWidth, kHeight, 1, 1001), other(kWidth, kHeight, 1, 2002);
  Image picture;
  const auto tracker = make_tld_tracker(config);
  tracker->add(path(0));
  tracker->set_learning(false);
  std::vector<TrackState> states;
  for (int i = 0; i < 100; ++i) {
    const float part = std::clamp(static_cast<float>(i - 10) / 30, 0.0f, 1.0f);
    const Frame frame = faded(target.draw(path(i)), other.draw(path(i)), part, picture);
    states.push_back(tracker->process(frame)[0].state);
  }
  return states;
}

TEST(TldTracker, ABoxThatNothingSpeaksForIsUncertainAndThenLost) {
  TldConfig config = single_threaded();
  config.motion = kMedianFlow;
  config.lost_frames = 1000;
  const std::vector<TrackState> followed = states_while_turning(config);
  EXPECT_EQ(followed[5], TrackState::tracking);
  ASSERT_EQ(followed[45], TrackState::uncertain) << "flow does not follow";
  ASSERT_EQ(followed[99], TrackState::uncertain) << "flow does not follow";
  config.lost_frames = 20;
  const std::vector<TrackState> states = states_while_turning(config);
  const auto first_lost = std::ranges::find(states, TrackState::lost);
  EXPECT_LT(first_lost - states.begin(), 65);
  EXPECT_TRUE(std::equal(states.begin(), first_lost, followed.begin()));
  EXPECT_EQ(std::count(first_lost, states.end(), TrackState::lost), states.end() - first_lost);
}

TEST(TldTracker, ALostTargetHasNoBox) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 10; ++i) tracker->process(scene.draw(path(i), i));
  test::PaddedImage black(kWidth, kHeight);
  black.fill([](int, int) { return 0; });
  for (int i = 0; i < 5; ++i) {
    const Track& track = tracker->process({.luma = black.view(), .pts = 100 + i})[0];
    EXPECT_EQ(track.state, TrackState::lost);
    EXPECT_FALSE(track.has_box());
    EXPECT_EQ(track.box, BoundingBox{});
    EXPECT_EQ(track.confidence, 0);
    EXPECT_EQ(track.last_seen, 9);
  }
}

std::vector<BoundingBox> boxes_of(const TldConfig& config, int frames) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(config);
  tracker->add(path(0));
  tracker->add({20, 20, 30, 40});
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < frames; ++i) {
    for (const Track& track : tracker->process(scene.draw(path(i)))) boxes.push_back(track.box);
  }
  return boxes;
}

TEST(TldTracker, IsDeterministicAtAnyNumberOfThreads) {
  const std::vector<BoundingBox> expected = boxes_of({.seed = 3, .threads = 1}, 40);
  for (const int threads : {1, 2, 3, 7}) {
    EXPECT_EQ(boxes_of({.seed = 3, .threads = threads}, 40), expected) << threads << " threads";
  }
}

TEST(TldTracker, TakesBoxesOfAnySizeAndPlace) {
  for (const BoundingBox& box : {BoundingBox{0, 0, kWidth, kHeight},
                                 {-100, -100, 2000, 2000},
                                 {0, 0, 8, 8},
                                 {kWidth - 8, kHeight - 8, 8, 8},
                                 {0, 0, kWidth, 8},
                                 {100, 0, 9, kHeight}}) {
    Scene scene(kWidth, kHeight);
    const auto tracker = make_tld_tracker(single_threaded());
    tracker->add(box);
    for (int i = 0; i < 4; ++i) ASSERT_NO_THROW(tracker->process(scene.draw(path(i))));
  }
}

TEST(TldTracker, AFlatPictureDoesNoHarm) {
  test::PaddedImage flat(kWidth, kHeight);
  flat.fill([](int, int) { return 128; });
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 4; ++i) ASSERT_NO_THROW(tracker->process({.luma = flat.view()}));
}

TEST(TldTracker, FollowsAChangeOfTheFrameSize) {
  Scene small(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 30; ++i) tracker->process(small.draw(path(i)));
  // The same scene at one and a half times the size.
  test::PaddedImage large(kWidth * 3 / 2, kHeight * 3 / 2, 1);
  int good = 0;
  for (int i = 30; i < 60; ++i) {
    const ImageView view = small.draw(path(i)).luma;
    large.fill([&](int x, int y) { return view.at(x * 2 / 3, y * 2 / 3); });
    const Track& track = tracker->process({.luma = large.view()})[0];
    const BoundingBox p = path(i);
    good += track.has_box() &&
            overlap(track.box, {1.5f * p.x, 1.5f * p.y, 1.5f * p.width, 1.5f * p.height}) > 0.5f;
  }
  EXPECT_GE(good, 25);
}

TEST(TldTracker, DiscontinuityFindsTheTargetElsewhereWithoutFlow) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 40; ++i) tracker->process(scene.draw(path(i)));
  const BoundingBox there{160, 100, 40, 40};
  Frame frame = scene.draw(there);
  frame.discontinuity = true;
  const Track track = tracker->process(frame)[0];
  ASSERT_TRUE(track.has_box());
  EXPECT_GT(overlap(track.box, there), 0.5f);
  EXPECT_EQ(track.state, TrackState::uncertain);
}

TEST(TldTracker, WithoutLearningTheModelStays) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  tracker->process(scene.draw(path(0)));
  const TargetStats first = tracker->stats().targets.at(0);
  EXPECT_EQ(first.positive_patches, 1u);
  EXPECT_GT(first.windows, 1000u);
  tracker->set_learning(false);
  for (int i = 1; i < 40; ++i) tracker->process(scene.draw(path(i)));
  EXPECT_EQ(tracker->stats().targets.at(0).positive_patches, 1u);
  EXPECT_EQ(tracker->stats().targets.at(0).negative_patches, first.negative_patches);
  EXPECT_EQ(tracker->stats().frames, 40u);
}

TEST(TldTracker, ModelsStayWithinTheirCaps) {
  TldConfig config = single_threaded();
  config.max_positive_patches = 3;
  config.max_negative_patches = 5;
  config.nn_threshold = 1;  // learn at every frame
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(config);
  tracker->add(path(0));
  for (int i = 0; i < 60; ++i) {
    tracker->process(scene.draw(path(i)));
    ASSERT_LE(tracker->stats().targets.at(0).positive_patches, 3u);
    ASSERT_LE(tracker->stats().targets.at(0).negative_patches, 5u);
  }
}

// --- a frame that is given up

// Requests a stop at the first target that cannot be tracked, which is between two others.
class StopAtABadTarget {
 public:
  StopAtABadTarget() {
    set_log_handler([this](LogLevel level, std::string_view message) {
      if (level != LogLevel::warning || !message.starts_with("target ")) return;
      ++bad_targets_;
      source_.request_stop();
    });
  }
  ~StopAtABadTarget() { set_log_handler({}); }
  StopAtABadTarget(const StopAtABadTarget&) = delete;
  StopAtABadTarget& operator=(const StopAtABadTarget&) = delete;

  Frame frame(Frame frame) const {
    frame.stop = source_.get_token();
    return frame;
  }
  int bad_targets() const { return bad_targets_; }

 private:
  std::stop_source source_;
  int bad_targets_ = 0;
};

std::vector<Track> tracks_of(Tracker& tracker, const Frame& frame) {
  const auto tracks = tracker.process(frame);
  return {tracks.begin(), tracks.end()};
}

TEST(TldTracker, AStopIsHeardBetweenNewTargets) {
  const auto make = [] {
    auto tracker = make_tld_tracker(single_threaded());
    for (const BoundingBox& box : {path(0), kOutside, BoundingBox{10, 130, 30, 30}, kOutside,
                                   BoundingBox{150, 20, 40, 30}}) {
      tracker->add(box);
    }
    return tracker;
  };
  Scene scene(kWidth, kHeight);
  const auto expected = make(), tracker = make();
  {
    const StopAtABadTarget stop;
    const Frame frame = stop.frame(scene.draw(path(0)));
    EXPECT_EQ(test::error_of([&] { tracker->process(frame); }).code(), ErrorCode::interrupted);
    EXPECT_EQ(stop.bad_targets(), 1) << "the second one was not come to";
  }
  // As if the frame that was given up had never been.
  for (int i = 0; i < 20; ++i) {
    const auto tracks = tracks_of(*tracker, scene.draw(path(i)));
    const auto wanted = tracks_of(*expected, scene.draw(path(i)));
    ASSERT_EQ(tracks.size(), 5u);
    for (std::size_t t = 0; t < tracks.size(); ++t) {
      ASSERT_EQ(tracks[t].box, wanted[t].box) << "frame " << i << ", target " << t;
      ASSERT_EQ(tracks[t].age, wanted[t].age);
    }
  }
}

TEST(TldTracker, AFrameThatIsGivenUpLeavesTheOthersTracked) {
  Scene scene(kWidth, kHeight);
  const auto tracker = make_tld_tracker(single_threaded());
  tracker->add(path(0));
  for (int i = 0; i < 10; ++i) tracker->process(scene.draw(path(i)));
  tracker->add(kOutside);
  const BoundingBox added = {10, 130, 30, 30};
  tracker->add(added);
  {
    const StopAtABadTarget stop;
    const Frame frame = stop.frame(scene.draw(path(10)));
    EXPECT_THROW(tracker->process(frame), Error);
    EXPECT_THROW(tracker->process(frame), Error) << "the stop was requested before";
    EXPECT_EQ(stop.bad_targets(), 1);
  }
  int good = 0;
  for (int i = 11; i < 40; ++i) {
    const auto tracks = tracks_of(*tracker, scene.draw(path(i)));
    ASSERT_EQ(tracks.size(), 3u);
    good += tracks[0].has_box() && overlap(tracks[0].box, path(i)) > 0.5f;
    if (i == 11) {
      EXPECT_EQ(tracks[0].age, 11u);
      EXPECT_EQ(tracks[2].box, added);
      EXPECT_EQ(tracks[2].age, 1u);
    }
  }
  EXPECT_GE(good, 27);
}

TEST(TldConfig, DefaultsAreValid) { EXPECT_NO_THROW(validate(TldConfig{})); }

TEST(TldConfig, NamesWhatIsOutOfRange) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  const auto expect_out_of_range = [](void (*change)(TldConfig&), const char* name) {
    TldConfig config;
    change(config);
    test::expect_rejected([&] { validate(config); }, {name, "allowed: "});
  };
  expect_out_of_range([](TldConfig& c) { c.threads = 0; }, "threads");
  expect_out_of_range([](TldConfig& c) { c.max_targets = 0; }, "max_targets");
  expect_out_of_range([](TldConfig& c) { c.max_targets = 4097; }, "max_targets");
  expect_out_of_range([](TldConfig& c) { c.ferns = 17; }, "ferns");
  expect_out_of_range([](TldConfig& c) { c.pairs = 14; }, "pairs");
  expect_out_of_range([](TldConfig& c) { c.scale_step = 1; }, "scale_step");
  expect_out_of_range([](TldConfig& c) { c.nn_threshold = nan; }, "nn_threshold");
  expect_out_of_range([](TldConfig& c) { c.fern_threshold = -0.1f; }, "fern_threshold");
  expect_out_of_range([](TldConfig& c) { c.max_positive_patches = 0; }, "max_positive_patches");
  expect_out_of_range([](TldConfig& c) { c.flow_window_max = c.flow_window_min - 1; },
                      "flow_window_max");
  expect_out_of_range([](TldConfig& c) { c.flow_window_max = 33; }, "flow_window_max");
  expect_out_of_range([](TldConfig& c) { c.update_warps.warps = 0; }, "update_warps.warps");
  expect_out_of_range([](TldConfig& c) { c.first_warps.angle = 181; }, "first_warps.angle");
}

constexpr int kShown = 80;  // frames
constexpr int kGone = 120;
constexpr BoundingBox kBefore = {120, 40, 60, 60};  // large, so that the filter sees little else
constexpr BoundingBox kElsewhere = {30, 110, 60, 60};

struct Story {
  std::vector<TrackState> gone;  // states while it is not there
  int found = -1;                // frames after it is there again
};

Story run(std::uint64_t scene_seed, const TldConfig& config, bool learning = true) {
  Scene scene(kWidth, kHeight, scene_seed);
  const auto tracker = make_tld_tracker(config);
  tracker->add(kBefore);
  Story result;
  for (int i = 0; i < kShown; ++i) {
    const Track& track = tracker->process(scene.draw(kBefore))[0];
    EXPECT_GT(overlap(track.box, kBefore), 0.5f) << i;
    tracker->set_learning(learning);
  }
  for (int i = 0; i < kGone; ++i) {
    result.gone.push_back(tracker->process(scene.draw(std::nullopt))[0].state);
  }
  for (int i = 0; i < 100 && result.found < 0; ++i) {
    const Track& track = tracker->process(scene.draw(kElsewhere))[0];
    if (track.has_box() && overlap(track.box, kElsewhere) > 0.5f) result.found = i;
  }
  return result;
}

void expect_lost(const Story& story) {
  for (int i = 20; i < kGone; ++i) {
    ASSERT_EQ(story.gone[static_cast<std::size_t>(i)], TrackState::lost) << i << " frames gone";
  }
}

TEST(VanishedTarget, IsLostUntilItComesBack) {
  for (std::uint64_t seed = 1; seed < 21; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Story story = run(seed, single_threaded(seed));
    expect_lost(story);
    EXPECT_GE(story.found, 0);
    EXPECT_LT(story.found, 10) << story.found;
  }
}

// What is usual is known of a filter that does not learn, too.
TEST(VanishedTarget, IsLostWithoutLearning) {
  for (const std::uint64_t seed : {1u, 5u, 6u, 7u}) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    expect_lost(run(seed, single_threaded(seed), false));
  }
}

}  // namespace
}  // namespace cltrack
