// SPDX-License-Identifier: LGPL-2.1-or-later
// Stages on the host, on a device in the host's memory and on one that needs copies, if there are:
// the same answer in every mixture, and what a frame costs in waits and copies.
#include "tld/frame_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "support/devices.h"
#include "support/errors.h"
#include "support/scene.h"

namespace cltrack {
namespace {

constexpr int kWidth = 233, kHeight = 177;

BoundingBox circle(int i) {
  const float t = 0.06f * static_cast<float>(i);
  return {90 + 50 * std::cos(t), 70 + 35 * std::sin(t), 41, 33};
}

// The device of each of kTldStages.
std::vector<PlacedStage> place(const std::array<DeviceInfo, kTldStages.size()>& infos) {
  std::vector<PlacedStage> stages(infos.size());
  for (std::size_t i = 0; i < stages.size(); ++i) {
    stages[i].stage = kTldStages[i];
    stages[i].device = infos[i];
  }
  return stages;
}

std::vector<PlacedStage> place(const DeviceInfo& device, const std::vector<Stage>& there) {
  std::array<DeviceInfo, kTldStages.size()> infos;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const bool is_there = std::ranges::find(there, static_cast<Stage>(i)) != there.end();
    infos[i] = is_there ? device : find_device("host");
  }
  return place(infos);
}

// One target that goes round, one that stands still.
class SceneRun {
 public:
  explicit SceneRun(const std::vector<PlacedStage>& placement, int targets = 2,
                    const TldConfig& config = {})
      : steps_(config, placement), count_(targets) {}

  // The next frame, with the walker or without; `follows_on`: on the one before.
  void step(bool walks = true, bool follows_on = true) {
    const std::vector<Target*> targets = all();
    std::optional<BoundingBox> box;
    if (walks) box = circle(frame_);
    steps_.begin(scene_.draw(box, frame_), targets, follows_on);
    steps_.find(targets);
    steps_.decide(targets, true);
    for (int i = 0; frame_ == 0 && i < count_; ++i) {
      targets_.push_back(steps_.start(static_cast<std::uint64_t>(i + 1),
                                      i == 0 ? circle(0) : BoundingBox{10, 120, 30, 40}));
    }
    steps_.end();
    ++frame_;
  }

  // The next frame, on which the first target is moved to where it is.
  void step_with_move() {
    const std::vector<Target*> targets = all();
    targets[0]->move_to(circle(frame_));
    steps_.begin(scene_.draw(circle(frame_), frame_), targets, true);
    steps_.find(targets);
    steps_.decide(std::span(targets).subspan(1), true);
    steps_.end();
    ++frame_;
  }

  // The next frame is given up before the step of that number.
  void give_up(int step) {
    const std::vector<Target*> targets = all();
    std::stop_source source;
    Frame frame = scene_.draw(circle(frame_++));
    frame.stop = source.get_token();
    const std::array<std::function<void()>, 3> steps = {[&] { steps_.begin(frame, targets, true); },
                                                        [&] { steps_.find(targets); },
                                                        [&] { steps_.decide(targets, true); }};
    for (int i = 0; i < step; ++i) steps[static_cast<std::size_t>(i)]();
    source.request_stop();
    const Error error = test::error_of(steps[static_cast<std::size_t>(step)]);
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
    steps_.abandon();
  }

  void place(const std::vector<PlacedStage>& placement) { steps_.place(placement, all()); }

  const Target& target(std::size_t i) const { return *targets_[i]; }

  // Of all stages together, up to now.
  TransferCount cost() const {
    TransferCount sum;
    for (const StageStats& stage : steps_.meters().stats()) {
      sum += {.bytes_up = stage.bytes_up, .bytes_down = stage.bytes_down, .waits = stage.waits};
    }
    return sum;
  }

 private:
  std::vector<Target*> all() const {
    std::vector<Target*> targets;
    for (const auto& target : targets_) targets.push_back(target.get());
    return targets;
  }

  test::Scene scene_{kWidth, kHeight};
  FrameSteps steps_;
  int count_;
  int frame_ = 0;
  std::vector<std::unique_ptr<Target>> targets_;
};

using Estimates = std::vector<std::optional<Estimate>>;

Estimates estimates(const std::vector<PlacedStage>& placement) {
  SceneRun run(placement);
  Estimates all;
  for (int i = 0; i < 45; ++i) {
    run.step(i < 25 || i >= 32);
    for (const std::size_t target : {0u, 1u}) all.push_back(run.target(target).estimate());
  }
  return all;
}

void expect_same(const Estimates& got, const Estimates& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(got[i].has_value(), expected[i].has_value()) << "frame " << i / 2;
    if (!got[i]) continue;
    ASSERT_EQ(got[i]->box, expected[i]->box) << "frame " << i / 2;
    ASSERT_EQ(got[i]->confidence, expected[i]->confidence) << "frame " << i / 2;
    ASSERT_EQ(got[i]->valid, expected[i]->valid) << "frame " << i / 2;
  }
}

// Whatever was on its way on a device when a frame was given up: the next ones are as on the host.
class FrameStepsGivenUp : public testing::TestWithParam<DeviceInfo> {};

TEST_P(FrameStepsGivenUp, AreFollowedByFramesAsOnTheHost) {
  const auto run = [](const DeviceInfo& device, int step) {
    SceneRun scene(place({device, device, device, device}));
    for (int i = 0; i < 8; ++i) scene.step();
    scene.give_up(step);
    std::vector<BoundingBox> boxes;  // empty ones while lost
    for (int i = 0; i < 12; ++i) {
      scene.step();
      for (const std::size_t target : {0u, 1u}) {
        const auto& estimate = scene.target(target).estimate();
        boxes.push_back(estimate ? estimate->box : BoundingBox{});
      }
    }
    return boxes;
  };
  for (const int step : {0, 1, 2}) {
    const auto boxes = run(GetParam(), step);
    EXPECT_EQ(boxes, run(find_device("host"), step)) << "before step " << step;
    EXPECT_GT(overlap(boxes[boxes.size() - 2], circle(20)), 0.5f) << "found again";
  }
}

CLTRACK_ON_EVERY_DEVICE(FrameStepsGivenUp);

// A target that was moved keeps all that was learnt, its ferns included, and learns nothing on that
// frame. The other one finds and learns the same as ever.
class FrameStepsMove : public testing::TestWithParam<DeviceInfo> {};

TEST_P(FrameStepsMove, LeavesWhatWasLearntAndTheOtherTarget) {
  const std::vector<PlacedStage> placement =
      place({GetParam(), GetParam(), GetParam(), GetParam()});
  SceneRun before(placement), moved(placement), usual(placement);
  for (int i = 0; i < 8; ++i) {
    for (SceneRun* run : {&before, &moved, &usual}) run->step();
  }
  moved.step_with_move();
  usual.step();
  EXPECT_EQ(moved.target(0).estimate()->box, circle(8));
  EXPECT_EQ(moved.target(1).estimate()->box, usual.target(1).estimate()->box);
  for (SceneRun* run : {&before, &moved, &usual}) run->place(placement);  // tables to the models
  EXPECT_TRUE(moved.target(0).model() == before.target(0).model());
  EXPECT_TRUE(moved.target(1).model() == usual.target(1).model());
  for (const std::size_t target : {0u, 1u}) {
    EXPECT_FALSE(usual.target(target).model().ferns == before.target(target).model().ferns)
        << "target " << target << " has nothing to learn on this frame: the test is worth nothing";
  }
}

CLTRACK_ON_EVERY_DEVICE(FrameStepsMove);

TEST(FrameStepsMixed, EveryPlacementGivesTheSameEstimates) {
  const DeviceInfo host = find_device("host");
  const Estimates expected = estimates(place({host, host, host, host}));
  const auto lost = std::ranges::count_if(expected, [](const auto& e) { return !e || !e->valid; });
  EXPECT_GT(lost, 3);
  const std::vector<DeviceInfo> devices = test::device_cases();
  for (const DeviceInfo& ferns : devices) {
    for (const DeviceInfo& nn : devices) {
      for (const DeviceInfo& learn : devices) {
        SCOPED_TRACE("ferns on " + testing::PrintToString(ferns) + ", nn on " +
                     testing::PrintToString(nn) + ", learn on " + testing::PrintToString(learn));
        expect_same(estimates(place({host, ferns, nn, learn})), expected);
      }
    }
  }
}

// All that was learnt goes along when stages change their device, each in its own turn.
TEST(FrameStepsMoved, StagesGiveTheSameEstimates) {
  const auto run = [](const std::function<DeviceInfo(std::size_t, std::size_t)>& device) {
    const auto placement = [&](std::size_t turn) {
      std::array<DeviceInfo, kTldStages.size()> infos;
      for (std::size_t stage = 0; stage < infos.size(); ++stage) infos[stage] = device(turn, stage);
      std::vector<PlacedStage> placed = place(infos);
      for (PlacedStage& stage : placed) stage.automatic = true;  // pictures are kept
      return placed;
    };
    SceneRun scene(placement(0));
    Estimates all;
    for (std::size_t i = 0; i < 60; ++i) {
      if (i > 0 && i % 3 == 0) scene.place(placement(i / 3));
      scene.step(i < 30 || i >= 38);
      for (const std::size_t target : {0u, 1u}) all.push_back(scene.target(target).estimate());
    }
    return std::pair(all, scene.target(0).model());
  };
  const DeviceInfo host = find_device("host");
  const auto [expected, expected_model] = run([&](std::size_t, std::size_t) { return host; });
  const auto lost = std::ranges::count_if(expected, [](const auto& e) { return !e || !e->valid; });
  ASSERT_GT(lost, 3);
  const std::vector<DeviceInfo> devices = test::device_cases();
  const auto [got, model] = run([&](std::size_t turn, std::size_t stage) {
    return devices[(turn / (stage + 1) + stage) % devices.size()];
  });
  expect_same(got, expected);
  EXPECT_EQ(model.patches, expected_model.patches);
}

// On how many of the next `frames` the whole grid of each target was scanned, and of how many
// targets at once at most. `follow_on`: motion leads from each to the next.
struct WholeScans {
  WholeScans(SceneRun& run, std::size_t targets, int frames, bool follow_on = true)
      : of_target(targets) {
    for (int i = 0; i < frames; ++i) {
      run.step(true, follow_on);
      std::size_t together = 0;
      for (std::size_t t = 0; t < targets; ++t) {
        const bool is_whole = run.target(t).scan_plan().is_whole();
        of_target[t] += is_whole;
        together += is_whole;
      }
      at_once = std::max(at_once, together);
    }
  }
  std::vector<int> of_target;
  std::size_t at_once = 0;
};

TEST(FrameStepsScans, AreOfAllWindowsWhereMotionIsNotSure) {
  const DeviceInfo host = find_device("host");
  SceneRun run(place({host, host, host, host}), 1);
  for (int i = 0; i < 10; ++i) run.step();
  EXPECT_LT(WholeScans(run, 1, 60).of_target[0], 30);
  EXPECT_EQ(WholeScans(run, 1, 10, false).of_target[0], 10);
  for (const TldConfig& config : {TldConfig{.motion = kMedianFlow}, {.scan_interval = 1}}) {
    SceneRun always(place({host, host, host, host}), 1, config);
    for (int i = 0; i < 10; ++i) always.step();
    EXPECT_EQ(WholeScans(always, 1, 20).of_target[0], 20);
  }
}

// Two grids' windows a frame, rows included: of six targets each has a third of its rows, and one
// has all.
TEST(FrameStepsScans, ManyTargetsTakeTurns) {
  const DeviceInfo host = find_device("host");
  constexpr std::size_t kTargets = 6;
  TldConfig config;
  config.max_windows = 2000;
  config.scan_interval = 1;
  SceneRun run(place({host, host, host, host}), kTargets, config);
  run.step();
  for (std::size_t t = 0; t < kTargets; ++t) ASSERT_GT(run.target(t).grid().size(), 1500u);
  const WholeScans scans(run, kTargets, 30, false);
  EXPECT_EQ(scans.at_once, 1u);
  for (std::size_t t = 0; t < kTargets; ++t) {
    EXPECT_EQ(scans.of_target[t], 5);
    const int interval = run.target(t).scan_region().row_interval;
    EXPECT_EQ(interval, run.target(t).scan_plan().is_whole() ? 0 : 3);
  }
}

class FrameStepsCost : public testing::TestWithParam<DeviceInfo> {
 protected:
  // What one frame adds.
  struct Frame {
    TransferCount cost;
    bool new_patches = false;  // in the object model: the next frame takes them to the device
  };

  void SetUp() override {
    if (GetParam().type == DeviceType::host) GTEST_SKIP() << "the host costs nothing";
    copies_ = !Device::open(GetParam())->is_zero_copy();
  }

  // Of the frames after the first. One target is learnt from on nearly every frame.
  static std::vector<Frame> frames(const std::vector<Stage>& stages, int motion = kMedianFlow) {
    constexpr int kFrames = 150;
    SceneRun run(place(GetParam(), stages), 1, {.motion = motion});
    std::vector<Frame> frames;
    int valid = 0;
    run.step();
    const ObjectModel& model = run.target(0).model().patches;
    for (int i = 0; i < kFrames; ++i) {
      const TransferCount before = run.cost();
      const auto version = std::pair(model.positives_version(), model.negatives_version());
      run.step();
      frames.push_back({run.cost() - before, version != std::pair(model.positives_version(),
                                                                  model.negatives_version())});
      valid += run.target(0).estimate() && run.target(0).estimate()->valid;
    }
    EXPECT_GT(valid, kFrames * 9 / 10);
    return frames;
  }

  bool copies_ = false;
};

TEST_P(FrameStepsCost, OneWaitAndOnePictureWithAllOnOneDevice) {
  const std::vector<Frame> all = frames({Stage::motion, Stage::ferns, Stage::nn, Stage::learn});
  std::vector<std::size_t> saves;  // frames
  for (std::size_t i = 1; i < all.size(); ++i) {
    SCOPED_TRACE(i);
    const TransferCount& cost = all[i].cost;
    EXPECT_EQ(cost.waits, 1u);
    if (copies_) {
      EXPECT_GE(cost.bytes_up, std::uint64_t{kWidth} * kHeight);
      if (!all[i - 1].new_patches) {
        EXPECT_LE(cost.bytes_up, std::uint64_t{kWidth + 10} * kHeight + 4096);
      }
    } else {
      EXPECT_EQ(cost.bytes_up, 0u);
    }
    // Now and then the host takes a copy of all that the ferns have learnt.
    const std::uint64_t results = copies_ ? 8192 : 0;
    const bool save = cost.bytes_down > results;
    EXPECT_LE(cost.bytes_down, save ? 900000 : results);
    if (save) saves.push_back(i);
  }
  // When the first one comes depends on how many trackers there were before.
  ASSERT_GE(saves.size(), 2u);
  ASSERT_LE(saves.size(), 3u);
  for (std::size_t i = 1; i < saves.size(); ++i) EXPECT_GE(saves[i] - saves[i - 1], 60u);
}

// Where a target is has to be known before its size can be looked at. Devices that work in the
// host's memory have to be done with a frame before it ends.
TEST_P(FrameStepsCost, ACorrelationFilterTakesTwoWaits) {
  const std::vector<Frame> all =
      frames({Stage::motion, Stage::ferns, Stage::nn, Stage::learn}, kCorrelation);
  for (const Frame& frame : all) EXPECT_LE(frame.cost.waits, copies_ ? 2u : 4u);
}

TEST_P(FrameStepsCost, OneWaitMoreWithLearningOnTheHost) {
  int learnt = 0;
  for (const Frame& frame : frames({Stage::motion, Stage::ferns, Stage::nn})) {
    EXPECT_GE(frame.cost.waits, 1u);
    EXPECT_LE(frame.cost.waits, 2u);
    learnt += frame.cost.waits == 2;
  }
  EXPECT_GT(learnt, 100);
}

TEST_P(FrameStepsCost, OneWaitForAStageAlone) {
  for (const Stage stage : {Stage::motion, Stage::nn, Stage::learn}) {
    SCOPED_TRACE(kTldStages[stage].name);
    std::uint64_t waits = 0;
    for (const Frame& frame : frames({stage})) {
      EXPECT_LE(frame.cost.waits, 1u);
      waits += frame.cost.waits;
    }
    EXPECT_GT(waits, 100u);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, FrameStepsCost, testing::ValuesIn(test::device_cases()),
                         test::device_case_name);

}  // namespace
}  // namespace cltrack
