// SPDX-License-Identifier: LGPL-2.1-or-later
// Frames for which there is less time, and frames that come later than usual.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cltrack/tld_tracker.h"
#include "support/devices.h"
#include "support/scene.h"
#include "tld/moving_target.h"

namespace cltrack {
namespace {

using test::kHeight;
using test::kWidth;
using test::path;

constexpr std::int64_t kInterval = 40000000;               // ns
constexpr BoundingBox kBack = {kWidth + 130, 70, 40, 40};  // further away than motion looks

class EffortRun {
 public:
  explicit EffortRun(const TldConfig& config) : tracker_(make_tld_tracker(config)) {
    tracker_->add(path(0));
    step(Effort::full);
  }

  // The next frame, `times` intervals after the one before, on its path.
  Track step(Effort effort, int times = 1) { return step_to(path(index_ + times), effort, times); }
  // The same with the target there, or without it.
  Track step_to(const std::optional<BoundingBox>& box, Effort effort, int times = 1) {
    index_ += times;
    Frame frame = scene_.draw(box, index_ * kInterval);
    frame.effort = effort;
    frame.near_only = near_only_;
    frame.discontinuity = std::exchange(breaks_off_, false);
    const auto tracks = tracker_->process(frame);
    tracks_.assign(tracks.begin(), tracks.end());
    return tracks_.front();
  }
  // Whether full work finds it there within some frames.
  bool finds_at(const BoundingBox& box) {
    bool is_found = false;
    for (int i = 0; i < 15; ++i) {
      const Track track = step_to(box, Effort::full);
      is_found = is_found || (track.has_box() && overlap(track.box, box) > 0.5f);
    }
    return is_found;
  }
  // The next frame does not follow on.
  void break_off() { breaks_off_ = true; }
  void look_near_only(bool near_only) { near_only_ = near_only; }

  const std::vector<Track>& tracks() const { return tracks_; }  // of the latest frame
  std::uint64_t calls(std::string_view stage) const {
    for (const StageStats& stats : tracker_->stats().stages) {
      if (stats.name == stage) return stats.calls;
    }
    ADD_FAILURE() << "no stage " << stage;
    return 0;
  }
  TargetStats target() const { return tracker_->stats().targets.front(); }
  int index() const { return index_; }
  Tracker& tracker() { return *tracker_; }

 private:
  test::Scene scene_{kWidth + 200, kHeight};
  std::unique_ptr<Tracker> tracker_;
  std::vector<Track> tracks_;
  bool breaks_off_ = false;
  bool near_only_ = false;
  int index_ = -1;
};

// Both motions, on every device.
class EffortTest : public testing::TestWithParam<DeviceInfo> {
 protected:
  static void each_motion(const std::function<void(const TldConfig&)>& run) {
    for (const int motion : {kCorrelation, kMedianFlow}) {
      SCOPED_TRACE(motion == kCorrelation ? "correlation" : "median flow");
      TldConfig config = {.motion = motion};
      config.placement.device = GetParam().spec;
      run(config);
    }
  }
};

TEST_P(EffortTest, MotionAloneFollowsAndLearnsNothing) {
  each_motion([](const TldConfig& config) {
    EffortRun run(config);
    for (int i = 0; i < 15; ++i) run.step(Effort::full);
    const auto calls = [&] { return std::pair(run.calls("ferns"), run.calls("nn")); };
    const auto before = calls();
    const TargetStats model = run.target();
    for (int i = 0; i < 10; ++i) {
      const Track track = run.step(Effort::motion);
      EXPECT_EQ(track.state, TrackState::tracking) << i;
      EXPECT_GT(overlap(track.box, path(run.index())), 0.5f) << i;
    }
    EXPECT_EQ(calls().first, before.first) << "no scan";
    EXPECT_EQ(run.target().positive_patches, model.positive_patches);
    EXPECT_EQ(run.target().negative_patches, model.negative_patches);
    EXPECT_EQ(run.step(Effort::full).state, TrackState::tracking);
    EXPECT_GT(calls().first, before.first);
  });
}

// A target that went away is not found again by less than the detector.
TEST_P(EffortTest, WhatIsLostStaysLostUntilThereIsTime) {
  each_motion([](const TldConfig& config) {
    EffortRun run(config);
    for (int i = 0; i < 20; ++i) run.step(Effort::full);
    for (int i = 0; i < 40; ++i) run.step_to(std::nullopt, Effort::full);
    for (int i = 0; i < 10; ++i) {
      EXPECT_FALSE(run.step_to(kBack, Effort::motion).has_box()) << i;
    }
    EXPECT_TRUE(run.finds_at(kBack));
  });
}

// The same where others find again what is lost, however much time there is.
TEST_P(EffortTest, WhatIsLostStaysLostWhileOthersFindItAgain) {
  each_motion([](const TldConfig& config) {
    EffortRun run(config);
    run.look_near_only(true);
    for (int i = 0; i < 20; ++i) {
      EXPECT_EQ(run.step(Effort::full).state, TrackState::tracking) << i;
    }
    for (int i = 0; i < 40; ++i) run.step_to(std::nullopt, Effort::full);
    for (int i = 0; i < 15; ++i) {
      EXPECT_FALSE(run.step_to(kBack, Effort::full).has_box()) << i;
    }
    run.look_near_only(false);
    EXPECT_TRUE(run.finds_at(kBack));
  });
}

TEST_P(EffortTest, FirstFramesAndThoseThatDoNotFollowOnGetTheirWork) {
  each_motion([](const TldConfig& config) {
    EffortRun run(config);
    for (int i = 0; i < 5; ++i) run.step(Effort::full);
    run.tracker().add(path(run.index() + 1));
    run.step(Effort::motion);
    const Track& added = run.tracks().back();
    EXPECT_EQ(added.id, 2u);
    EXPECT_EQ(added.state, TrackState::tracking);
    for (int i = 0; i < 5; ++i) run.step(Effort::motion);
    EXPECT_EQ(run.tracks().back().state, TrackState::tracking);
    EXPECT_GT(overlap(run.tracks().back().box, path(run.index())), 0.5f);

    const std::uint64_t scans = run.calls("ferns");
    run.break_off();
    run.step(Effort::motion);
    EXPECT_EQ(run.calls("ferns"), scans + 1);
  });
}

// With a correlation filter: median flow trusts the detector alone.
TEST_P(EffortTest, TheDetectorLooksRarelyForWhatIsSure) {
  each_motion([](TldConfig config) {
    constexpr int kFrames = 40;
    const auto scans = [&](int interval) {
      config.detector_interval = interval;
      EffortRun run(config);
      for (int i = 0; i < kFrames; ++i) {
        const Track track = run.step(Effort::full);
        EXPECT_GT(overlap(track.box, path(run.index())), 0.5f) << interval << ", frame " << i;
      }
      return static_cast<int>(run.calls("ferns"));
    };
    EXPECT_EQ(scans(1), kFrames);
    if (config.motion == kCorrelation) {
      EXPECT_LT(scans(4), kFrames / 2);
    } else {
      EXPECT_EQ(scans(4), kFrames);
    }
  });
}

TEST_P(EffortTest, TheDetectorLooksOnEachFrameForWhatIsLost) {
  TldConfig config = {.detector_interval = 10};
  config.placement.device = GetParam().spec;
  EffortRun run(config);
  for (int i = 0; i < 30; ++i) run.step(Effort::full);
  for (int i = 0; i < 20; ++i) run.step_to(std::nullopt, Effort::full);
  const std::uint64_t before = run.calls("ferns");
  for (int i = 0; i < 20; ++i) run.step_to(std::nullopt, Effort::full);
  EXPECT_EQ(run.calls("ferns"), before + 20);
  EXPECT_TRUE(run.finds_at(kBack));
}

// Targets take turns, so that frames take equally long.
TEST_P(EffortTest, NotAllTargetsAreLookedForOnTheSameFrames) {
  TldConfig config = {.detector_interval = 2};
  config.placement.device = GetParam().spec;
  EffortRun run(config);
  for (int i = 0; i < 5; ++i) run.step(Effort::full);
  run.tracker().add(path(run.index() + 1));
  for (int i = 0; i < 10; ++i) run.step(Effort::full);
  const std::uint64_t before = run.calls("ferns");
  for (int i = 0; i < 10; ++i) run.step(Effort::full);
  EXPECT_EQ(run.calls("ferns"), before + 10) << "one of them";
}

TEST_P(EffortTest, AllDevicesGiveTheHostsBoxes) {
  constexpr std::array kEfforts = {Effort::full,   Effort::motion, Effort::near,
                                   Effort::motion, Effort::motion, Effort::near};
  each_motion([&](TldConfig config) {
    config.detector_interval = 2;
    const auto boxes = [&](const std::string& device) {
      TldConfig here = config;
      here.placement.device = device;
      EffortRun run(here);
      std::vector<Track> all;
      for (std::size_t i = 0; i < 60; ++i) {
        const Effort effort = kEfforts[i % kEfforts.size()];
        const bool is_away = i >= 25 && i <= 35;
        all.push_back(is_away ? run.step_to(std::nullopt, effort)
                              : run.step(effort, i == 50 ? 3 : 1));
      }
      return all;
    };
    const std::vector<Track> expected = boxes("host");
    const std::vector<Track> got = boxes(GetParam().spec);
    for (std::size_t i = 0; i < expected.size(); ++i) {
      ASSERT_EQ(got[i].box, expected[i].box) << i;
      ASSERT_EQ(got[i].state, expected[i].state) << i;
      ASSERT_EQ(got[i].confidence, expected[i].confidence) << i;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Devices, EffortTest, testing::ValuesIn(test::devices()),
                         test::device_case_name);

// In boxes of full work nothing depends on the rate.
TEST(FrameTimes, ConstantRatesGiveTheBoxesOfFramesWithoutTimes) {
  const auto boxes = [](std::int64_t interval) {
    test::Scene scene(kWidth, kHeight);
    const auto tracker = make_tld_tracker({});
    tracker->add(path(0));
    std::vector<BoundingBox> all;
    for (int i = 0; i < 60; ++i) {
      const std::int64_t pts = interval > 0 ? i * interval : kNoTimestamp;
      all.push_back(tracker->process(scene.draw(path(i), pts)).front().box);
    }
    return all;
  };
  const auto expected = boxes(0);
  for (const std::int64_t interval : {1, 33333333, 1000000000}) {
    EXPECT_EQ(boxes(interval), expected) << interval;
  }
}

}  // namespace
}  // namespace cltrack
