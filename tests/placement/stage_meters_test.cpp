// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/stage_meters.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/devices.h"
#include "support/scene.h"
#include "tld/frame_steps.h"

namespace cltrack {
namespace {

constexpr int kFrames = 5;
constexpr int kWidth = 233;
constexpr int kHeight = 177;

// Stages motion, ferns and nn on `device`, which may be something that resolve() does not find.
std::map<std::string, StageStats> run(const DeviceInfo& device) {
  std::vector<PlacedStage> placement = resolve({.device = "host"}, kTldStages);
  for (PlacedStage& placed : placement) {
    if (placed.stage.name != "learn") placed.device = device;
  }
  test::Scene scene(kWidth, kHeight);
  FrameSteps steps({.motion = kMedianFlow}, placement);
  std::unique_ptr<Target> target;
  for (int i = 0; i < kFrames; ++i) {
    BoundingBox box{90, 70, 41, 33};
    box.x += 2 * static_cast<float>(i);
    std::vector<Target*> targets;
    if (target) targets.push_back(target.get());
    steps.begin(scene.draw(box), targets, true);
    steps.find(targets);
    steps.decide(targets, true);
    if (!target) target = steps.start(1, box);
    steps.end();
  }
  EXPECT_TRUE(target->estimate() && target->estimate()->valid);
  std::map<std::string, StageStats> stages;
  for (const StageStats& stage : steps.meters().stats()) stages[stage.name] = stage;
  return stages;
}

class StageMetersOn : public testing::TestWithParam<DeviceInfo> {};

TEST_P(StageMetersOn, EachStageIsCalledOnceAFrame) {
  const auto stages = run(GetParam());
  ASSERT_EQ(stages.size(), tld_steps(TldConfig{}).size());
  for (const auto& [name, stage] : stages) {
    const bool of_targets = name != "planes" && name != "start";
    EXPECT_EQ(stage.calls, name == "start" ? 1u : of_targets ? kFrames - 1u : kFrames) << name;
    EXPECT_GT(stage.total_ms, 0) << name;
    EXPECT_GE(stage.p99_ms, stage.median_ms) << name;
    const bool placed = name != "learn" && name != "start";
    EXPECT_EQ(stage.device, placed ? GetParam().spec : "host") << name;
  }
}

TEST_P(StageMetersOn, TransfersBelongToTheirStage) {
  const bool host = GetParam().type == DeviceType::host;
  const bool copies = !host && !GetParam().unified_memory;
  auto stages = run(GetParam());
  for (const char* name : {"motion", "ferns", "nn"}) {
    const StageStats& stage = stages[name];
    EXPECT_EQ(stage.bytes_up > 0, copies) << name;
    EXPECT_EQ(stage.bytes_down > 0, copies) << name;
  }
  // One wait for what is queued on the device; it is the first stage's. Another one to learn.
  EXPECT_EQ(stages["motion"].waits, host ? 0u : kFrames - 1u);
  EXPECT_EQ(stages["ferns"].waits + stages["nn"].waits, 0u);
  EXPECT_EQ(stages["learn"].waits, host ? 0u : kFrames - 1u);
  const std::uint64_t picture = kWidth * kHeight;
  // One upload a frame, padding between its rows included.
  EXPECT_GE(stages["planes"].bytes_up, copies ? kFrames * picture : 0);
  EXPECT_LT(stages["planes"].bytes_up, kFrames * picture * 11 / 10 + 1);
  EXPECT_EQ(stages["planes"].bytes_down, 0u);
  // Blurred, and the candidates.
  EXPECT_GE(stages["learn"].bytes_down, copies ? (kFrames - 1) * picture : 0);
  EXPECT_LT(stages["learn"].bytes_down, kFrames * picture * 2);
  if (host) {
    for (const auto& [name, stage] : stages) {
      EXPECT_EQ(stage.bytes_up + stage.bytes_down + stage.waits, 0u) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, StageMetersOn, testing::ValuesIn(test::device_cases()),
                         test::device_case_name);

}  // namespace
}  // namespace cltrack
