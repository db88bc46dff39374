// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tracker_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/placement.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "compute/device.h"
#include "compute/program_cache.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/random_network.h"
#include "support/scene.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

using test::Scene;

constexpr BoundingBox kBox = {90, 70, 41, 33};

std::vector<Track> follow(Tracker& tracker, int frames) {
  test::Scene scene(333, 277);
  std::vector<Track> all;
  for (int i = 0; i < frames; ++i) {
    BoundingBox box = kBox;
    box.x += 2 * static_cast<float>(i);
    if (i == 0) tracker.add(box);
    const auto tracks = tracker.process(scene.draw(box, i));
    all.insert(all.end(), tracks.begin(), tracks.end());
  }
  return all;
}

class TldDevicesOn : public testing::TestWithParam<DeviceInfo> {};

TEST_P(TldDevicesOn, NoFrameBuildsAnything) {
  TldConfig config;
  config.placement.device = GetParam().spec;
  const auto devices = open_devices(config);
  devices->wait();
  const std::shared_ptr<Device> device = Device::open(GetParam());
  const auto programs = [&] {
    return device->is_host() ? 0 : device->programs().builds() + device->programs().loads();
  };
  const int before = programs();
  EXPECT_EQ(before > 0, !device->is_host());
  const auto tracks = follow(*make_tld_tracker(config, devices), 10);
  EXPECT_EQ(tracks.back().state, TrackState::tracking);
  EXPECT_EQ(programs(), before);
}

TEST_P(TldDevicesOn, ProgramsOfStagesAreAllThatTheyNeed) {
  const std::shared_ptr<Device> device = Device::open(GetParam());
  if (device->is_host()) GTEST_SKIP() << "the host builds nothing";
  TldConfig config;
  config.network = Network::parse(test::RandomNetwork::make(1).bytes());
  config.placement.device = GetParam().spec;
  const std::vector<PlacedStage> stages = resolve(config.placement, kTldStages);
  int listed = GetParam().is_zero_copy() ? 0 : 1;  // for copies
  for (std::size_t stage = 0; stage < stages.size(); ++stage) {
    const std::vector<ProgramName> programs = programs_of(stage, *device, config);
    listed += static_cast<int>(programs.size());
    device->build_in_background(programs).get();
  }
  const auto made = [&] { return device->programs().builds() + device->programs().loads(); };
  EXPECT_EQ(made(), listed) << "each once";
  warm_up(config, stages);
  EXPECT_EQ(made(), listed);
}

// In frames of fewer than eight rows or columns there is no window at all.
TEST_P(TldDevicesOn, SurvivesAnySequenceOfSizes) {
  TldConfig config;
  config.placement.device = GetParam().spec;
  const auto tracker = make_tld_tracker(config);
  tracker->add({2, 2, 30, 30});
  for (const auto& [width, height] :
       {std::pair{240, 180}, {240, 7}, {31, 33}, {1, 1}, {7, 500}, {320, 240}}) {
    test::Scene scene(width, height);
    ASSERT_NO_THROW(tracker->process(scene.draw(std::nullopt)));
    ASSERT_NO_THROW(tracker->process(scene.draw(std::nullopt)));
  }
}

// The devices outlive whoever made them, and decide on the placement.
TEST_P(TldDevicesOn, TrackersShareThem) {
  TldConfig config;
  config.placement.device = GetParam().spec;
  auto devices = open_devices(config);
  config.placement.device = "no such device";
  const auto first = make_tld_tracker(config, devices);
  const auto second = make_tld_tracker(config, std::move(devices));
  const auto tracks = follow(*first, 5);
  const auto same = follow(*second, 5);
  ASSERT_EQ(tracks.size(), same.size());
  for (std::size_t i = 0; i < tracks.size(); ++i) EXPECT_EQ(tracks[i].box, same[i].box);
}

INSTANTIATE_TEST_SUITE_P(Devices, TldDevicesOn, testing::ValuesIn(test::devices()),
                         test::device_case_name);

TEST(TldNetwork, HasAStageOfItsOwn) {
  TldConfig config;
  config.placement["network"] = "no such device";
  const auto names = [](const Tracker& tracker) {
    std::vector<std::string> all;
    for (const StageStats& stage : tracker.stats().stages) all.push_back(stage.name);
    return all;
  };
  using testing::Contains;
  EXPECT_THAT(names(*make_tld_tracker(config)), testing::Not(Contains("network")));
  config.network = Network::parse(test::RandomNetwork::make(1).bytes());
  EXPECT_THAT(test::error_of([&] { make_tld_tracker(config); }).what(),
              testing::HasSubstr("network-device"));
  config.placement = {.device = "host"};
  const auto tracker = make_tld_tracker(config);
  EXPECT_THAT(names(*tracker), Contains("network"));
  follow(*tracker, 5);
  const auto calls = [&] { return tracker->stats().stages.back().calls; };
  const std::uint64_t asked = calls();
  EXPECT_GE(asked, 4u);
  Scene scene(333, 277);
  Frame frame = scene.draw(kBox, 5);
  for (const Effort effort : {Effort::near, Effort::motion}) {
    frame.effort = effort;
    ++frame.pts;
    tracker->process(frame);
  }
  EXPECT_EQ(calls(), asked) << "there is no time for it";
}

TEST(TldNetwork, IsAskedRarelyOfWhatIsSure) {
  TldConfig config{.placement = {.device = "host"}};
  config.network = Network::parse(test::RandomNetwork::constant(0.9999f, {7, 6, 7, 6}).bytes());
  const auto calls = [&](int interval) {
    config.network_interval = interval;
    const auto tracker = make_tld_tracker(config);
    EXPECT_EQ(follow(*tracker, 61).back().state, TrackState::tracking);
    return static_cast<int>(tracker->stats().stages.back().calls);
  };
  const int always = calls(1), rarely = calls(5);
  EXPECT_GE(always, 60);
  EXPECT_LT(rarely, always / 2);
}

TEST(TldNetwork, IsOfTheCorrelationFilterOnly) {
  TldConfig config;
  config.network = Network::parse(test::RandomNetwork::make(1).bytes());
  EXPECT_EQ(config.network->name(), "random");
  EXPECT_NO_THROW(validate(config));
  config.motion = kMedianFlow;
  EXPECT_THAT(test::error_of([&] { validate(config); }).what(),
              testing::AllOf(testing::HasSubstr("random"), testing::HasSubstr("median-flow")));
}

TEST(TldDevicesErrors, ABadConfigIsRefused) {
  TldConfig config;
  config.ferns = 0;
  test::expect_rejected([&] { open_devices(config); });
  test::expect_rejected([] { make_tld_tracker(TldConfig{}, nullptr); });
  test::expect_rejected([] { make_tld_tracker(TldConfig{}, open_devices(TemplateConfig{})); });
}

constexpr int kFrames = 70;

// Two targets: one goes round, leaves for a while and comes back elsewhere; one stands still.
std::optional<BoundingBox> path(int i) {
  if (i >= 40 && i < 50) return std::nullopt;
  const float t = static_cast<float>(i < 40 ? i : i + 35);
  return BoundingBox{90 + 50 * std::cos(0.06f * t), 70 + 35 * std::sin(0.06f * t), 41, 33};
}

std::vector<Track> run(const Placement& placement, int threads = 1,
                       const std::optional<Network>& network = {}) {
  Scene scene(233, 177);  // odd, with padded rows
  TldConfig config{.seed = 5, .threads = threads, .network = network};
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

TEST_P(TldPlacement, MotionGivesTheSameBoxes) {
  if (!GetParam().exact_division) GTEST_SKIP() << "this device's divisions are not exact";
  Placement placement{.device = "host"};
  placement["motion"] = GetParam().spec;
  expect_same(run(placement), on_host());
  expect_same(run({.device = GetParam().spec}, 3), on_host());
}

TEST_P(TldPlacement, ANetworkGivesTheSameBoxes) {
  static const Network network = Network::parse(test::RandomNetwork::make(1).bytes());
  static const std::vector<Track> expected = run({.device = "host"}, 1, network);
  Placement placement{.device = "host"};
  placement["network"] = GetParam().spec;
  expect_same(run(placement, 1, network), expected);
  if (!GetParam().exact_division) GTEST_SKIP() << "this device's divisions are not exact";
  expect_same(run({.device = GetParam().spec}, 3, network), expected);
}

INSTANTIATE_TEST_SUITE_P(Devices, TldPlacement, testing::ValuesIn(test::devices()),
                         test::device_case_name);

TEST(TldPlacementErrors, AMissingDeviceIsNamed) {
  TldConfig config;
  config.placement["ferns"] = "no such device";
  const Error error = test::error_of([&] { make_tld_tracker(config); });
  EXPECT_EQ(error.code(), ErrorCode::device_missing);
  // And what is there.
  EXPECT_THAT(error.what(),
              testing::AllOf(testing::HasSubstr("fern-device"),
                             testing::HasSubstr("no such device"), testing::HasSubstr("host")));
}

}  // namespace
}  // namespace cltrack
