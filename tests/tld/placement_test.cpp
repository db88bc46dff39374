// SPDX-License-Identifier: LGPL-2.1-or-later
// The same boxes and states wherever a stage runs.
#include "cltrack/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "support/devices.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using test::Scene;

constexpr int kFrames = 70;

// Two targets: one goes round, leaves for a while and comes back elsewhere; one stands still.
std::optional<BoundingBox> path(int i) {
  if (i >= 40 && i < 50) return std::nullopt;
  const float t = static_cast<float>(i < 40 ? i : i + 35);
  return BoundingBox{90 + 50 * std::cos(0.06f * t), 70 + 35 * std::sin(0.06f * t), 41, 33};
}

std::vector<Track> run(const Placement& placement, int threads = 1) {
  Scene scene(233, 177);  // odd, with padded rows
  TldConfig config{.seed = 5, .threads = threads};
  config.placement = placement;
  const auto tracker = make_tld_tracker(config);
  tracker->add(*path(0), "walker");
  tracker->add({10, 120, 30, 40}, "ground");
  std::vector<Track> all;
  for (int i = 0; i < kFrames; ++i) {
    const auto tracks = tracker->process(scene.draw(path(i), i));
    all.insert(all.end(), tracks.begin(), tracks.end());
  }
  return all;
}

void expect_same(const std::vector<Track>& result, const std::vector<Track>& expected) {
  ASSERT_EQ(result.size(), expected.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    ASSERT_EQ(result[i].box, expected[i].box) << "frame " << i / 2 << ", target " << i % 2;
    ASSERT_EQ(result[i].state, expected[i].state) << "frame " << i / 2;
    ASSERT_EQ(result[i].confidence, expected[i].confidence) << "frame " << i / 2;
  }
}

const std::vector<Track>& on_host() {
  static const std::vector<Track> tracks = run({.device = "host"});
  return tracks;
}

TEST(TldPlacementScene, IsWorthLookingAt) {
  const std::vector<Track>& expected = on_host();
  int lost = 0, tracked_late = 0;
  for (std::size_t i = 0; i < expected.size(); i += 2) {
    lost += expected[i].state == TrackState::lost;
    tracked_late += i > 2 * 55 && expected[i].state == TrackState::tracking;
  }
  EXPECT_GT(lost, 3);
  EXPECT_GT(tracked_late, 3) << "found again";
}

class TldPlacement : public testing::TestWithParam<DeviceInfo> {};

TEST_P(TldPlacement, EachStageGivesTheSameBoxes) {
  for (const char* stage : {"ferns", "nn", "learn"}) {
    SCOPED_TRACE(stage);
    Placement placement{.device = "host"};
    placement[stage] = GetParam().spec;
    expect_same(run(placement), on_host());
    expect_same(run(placement, 3), on_host());
  }
}

TEST_P(TldPlacement, MotionGivesTheSameBoxes) {
  if (!GetParam().exact_division) GTEST_SKIP() << "this device's divisions are not exact";
  Placement placement{.device = "host"};
  placement["motion"] = GetParam().spec;
  expect_same(run(placement), on_host());
  expect_same(run({.device = GetParam().spec}, 3), on_host());
}

INSTANTIATE_TEST_SUITE_P(Devices, TldPlacement, testing::ValuesIn(test::devices()),
                         test::device_case_name);

TEST(TldPlacementErrors, AMissingDeviceIsNamed) {
  TldConfig config;
  config.placement["ferns"] = "no such device";
  try {
    make_tld_tracker(config);
    FAIL() << "was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::device_missing);
    EXPECT_THAT(error.what(), testing::HasSubstr("fern-device"));
    EXPECT_THAT(error.what(), testing::HasSubstr("no such device"));
    EXPECT_THAT(error.what(), testing::HasSubstr("host")) << "what is there";
  }
}

}  // namespace
}  // namespace cltrack
