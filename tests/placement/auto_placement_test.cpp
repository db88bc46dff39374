// SPDX-License-Identifier: LGPL-2.1-or-later
// `auto` on the devices of this machine, with made-up times.
#include "placement/auto_placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <string>
#include <thread>

#include "cltrack/color_tracker.h"
#include "cltrack/log.h"
#include "cltrack/template_tracker.h"
#include "cltrack/tld_tracker.h"
#include "placement/candidate_devices.h"
#include "support/color_image.h"
#include "support/devices.h"
#include "support/no_threads.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Waits for the background, as no tracker does.
void get_ready(TrackerDevices& devices) {
  devices.candidates().start();
  while (!devices.candidates().is_complete()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

const PlacedStage& stage_of(const std::vector<PlacedStage>& stages, std::string_view name) {
  return *std::ranges::find_if(
      stages, [&](const PlacedStage& placed) { return placed.stage.name == name; });
}

bool is_all_on_host(const std::vector<PlacedStage>& stages) {
  return std::ranges::all_of(
      stages, [](const PlacedStage& placed) { return placed.device.spec == "host"; });
}

// Frames of 320x240 until a choice is made, on a machine where ferns are fast on devices and all
// else is slow there.
void choose(AutoPlacement& placement) {
  for (int i = 0; i < 500; ++i) {
    placement.update(320, 240);
    const auto& stages = placement.placement();
    double ms = stage_of(stages, "ferns").device.spec == "host" ? 5 : 2;
    for (const char* stage : {"motion", "nn"}) {
      ms += stage_of(stages, stage).device.spec == "host" ? 1 : 2;
    }
    placement.measured(ms, 1);
  }
}

TEST(AutoPlacement, ShortRunsOpenNothing) {
  const auto opened = open_devices(TldConfig{});
  TrackerDevices& devices = *opened;
  AutoPlacement placement(opened);
  for (int i = 0; i < AutoPlacement::kFramesBefore; ++i) {
    EXPECT_FALSE(placement.update(320, 240));
    placement.measured(1, 1);
  }
  // Frames without a target are not measured.
  for (int i = 0; i < 100; ++i) placement.measured(1, 0);
  EXPECT_FALSE(devices.candidates().is_complete());
  EXPECT_EQ(devices.candidates().ready_count(), 0u);
  EXPECT_TRUE(is_all_on_host(placement.placement()));
}

TEST(AutoPlacement, WithoutOpenClTheHostIsTheChoice) {
  // Also what happens where every stage has a device of its own.
  TldConfig config;
  config.placement.device = "host";
  const auto opened = open_devices(config);
  TrackerDevices& devices = *opened;
  AutoPlacement placement(opened);
  choose(placement);
  EXPECT_TRUE(is_all_on_host(placement.placement()));
  EXPECT_FALSE(devices.candidates().is_complete()) << "nothing was opened";
}

TEST(AutoPlacement, TheChoiceAndItsReasonCanBeRead) {
  const auto opened = open_devices(TldConfig{});
  TrackerDevices& devices = *opened;
  get_ready(devices);
  std::string text;
  set_log_handler([&](LogLevel level, std::string_view message) {
    if (level == LogLevel::info && message.starts_with("auto: motion")) text += message;
  });
  AutoPlacement placement(opened);
  choose(placement);
  set_log_handler({});
  const PlacedStage ferns = stage_of(devices.stages(), "ferns");
  EXPECT_THAT(text, HasSubstr("at 320x240"));
  if (devices.candidates().ready_count() == 0) {
    EXPECT_EQ(ferns.device.spec, "host");
    EXPECT_THAT(ferns.reason, HasSubstr("no other device"));
    GTEST_SKIP() << "NO OPENCL DEVICE: there is no choice to be made";
  }
  EXPECT_NE(ferns.device.spec, "host");
  EXPECT_THAT(ferns.reason, StartsWith("4.00 ms a frame against "));
  EXPECT_EQ(stage_of(devices.stages(), "motion").device.spec, "host");
  EXPECT_THAT(text, HasSubstr("ferns=" + ferns.device.spec));
  EXPECT_THAT(text, HasSubstr("4.00 ms a frame"));
  EXPECT_EQ(text.find("at 320x240"), text.rfind("at 320x240")) << "said once";
}

TEST(AutoPlacement, ADeviceThatFailsIsLeft) {
  const auto opened = open_devices(TldConfig{});
  TrackerDevices& devices = *opened;
  get_ready(devices);
  if (devices.candidates().ready_count() == 0) {
    GTEST_SKIP() << "NO OPENCL DEVICE: there is none that could fail";
  }
  AutoPlacement placement(opened);
  const Error failure(ErrorCode::device_failed, "it burns");
  EXPECT_FALSE(placement.retreat(failure)) << "nothing runs on a device yet";
  choose(placement);
  EXPECT_FALSE(placement.retreat(Error(ErrorCode::invalid_argument, "a frame without pixels")));
  std::size_t left = 0;
  while (!is_all_on_host(placement.placement())) {
    ASSERT_TRUE(placement.retreat(failure));
    ++left;
  }
  const auto warnings = placement.take_warnings();
  ASSERT_EQ(warnings.size(), left);
  EXPECT_THAT(warnings[0], HasSubstr("ferns"));
  EXPECT_THAT(warnings[0], HasSubstr("it burns"));
  EXPECT_TRUE(placement.take_warnings().empty());
  EXPECT_FALSE(placement.retreat(failure));
  EXPECT_EQ(devices.candidates().ready().size() + left, devices.candidates().ready_count());
}

// Whatever the times are, and wherever stages happen to be on a frame.
TEST(AutoPlacement, BoxesAreThoseOfTheHost) {
  const auto run = [](const char* device) {
    TldConfig config{.seed = 3};
    config.placement.device = device;
    config.placement["motion"] = "host";
    const auto devices = open_devices(config);
    if (devices->stages()[1].automatic) get_ready(*devices);
    const auto tracker = make_tld_tracker(config, devices);
    test::Scene scene(233, 177);
    std::vector<BoundingBox> boxes;
    for (int i = 0; i < 150; ++i) {
      const float t = 0.06f * static_cast<float>(i);
      const BoundingBox box{90 + 50 * std::cos(t), 70 + 35 * std::sin(t), 41, 33};
      if (i == 0) tracker->add(box);
      for (const Track& track : tracker->process(scene.draw(box, i))) boxes.push_back(track.box);
    }
    return boxes;
  };
  EXPECT_EQ(run("auto"), run("host"));
}

// Frames by `tracker`, of a circle that a target takes.
template <typename AddAndProcess>
std::vector<BoundingBox> boxes_of(Tracker& tracker, const AddAndProcess& process) {
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < AutoPlacement::kFramesBefore + 50; ++i) {
    const float t = 0.06f * static_cast<float>(i);
    for (const Track& track :
         process(tracker, BoundingBox{90 + 50 * std::cos(t), 70 + 35 * std::sin(t), 41, 33}, i)) {
      boxes.push_back(track.box);
    }
  }
  return boxes;
}

// They have been everywhere, and a choice is made; with the same boxes as on the host.
template <typename Config, typename Make, typename Process>
void expect_tried_everywhere(Config config, const Make& make, const Process& process) {
  config.placement.device = "host";
  const auto expected = boxes_of(*make(config, open_devices(config)), process);
  config.placement.device = "auto";
  const auto devices = open_devices(config);
  get_ready(*devices);
  std::string log;
  set_log_handler([&](LogLevel, std::string_view message) {
    if (message.starts_with("auto: ")) log.append(message).append("\n");
  });
  const auto tracker = make(config, devices);
  EXPECT_EQ(boxes_of(*tracker, process), expected);
  set_log_handler({});
  EXPECT_FALSE(devices->stages()[0].reason.empty());
  const std::string name(devices->stages()[0].stage.name);
  for (const DeviceInfo& device : devices->candidates().ready()) {
    EXPECT_THAT(log, HasSubstr(name + "=" + device.spec));
  }
  EXPECT_TRUE(tracker->take_warnings().empty());
  EXPECT_EQ(devices->candidates().ready_count(), list_devices().size() - 1);
}

// Where the system allows no threads but the caller's: on the host, and on a device that is open.
template <typename Config, typename Make, typename Process>
void expect_same_without_threads(Config config, const Make& make, const Process& process) {
  config.threads = 4;
  for (const DeviceInfo& device : test::devices()) {
    config.placement.device = device.spec;
    const auto devices = open_devices(config);
    const auto expected = boxes_of(*make(config, devices), process);
    const test::NoThreads none;
    const auto tracker = make(config, open_devices(config));
    EXPECT_EQ(boxes_of(*tracker, process), expected);
    EXPECT_THAT(tracker->take_warnings(),
                testing::ElementsAre(StartsWith("threads=4: the system allows only 1 (")));
    EXPECT_THAT(tracker->take_warnings(), testing::IsEmpty());
  }
}

TEST(AutoPlacement, TldWorksWithFewerThreads) {
  test::Scene scene(233, 177);
  const auto make = [](const TldConfig& config, std::shared_ptr<TrackerDevices> devices) {
    return make_tld_tracker(config, std::move(devices));
  };
  expect_same_without_threads(TldConfig{.seed = 3}, make,
                              [&](Tracker& tracker, const BoundingBox& box, int i) {
                                if (i == 0) tracker.add(box);
                                return tracker.process(scene.draw(box, i));
                              });
}

TEST(AutoPlacement, MovesTemplateMatching) {
  const auto make = [](const TemplateConfig& config, std::shared_ptr<TrackerDevices> devices) {
    return make_template_tracker(config, std::move(devices));
  };
  test::Scene scene(233, 177);
  const auto process = [&](Tracker& tracker, const BoundingBox& box, int i) {
    if (i == 0) tracker.add(box);
    return tracker.process(scene.draw(box, i));
  };
  expect_tried_everywhere(TemplateConfig{.search = TemplateSearch::frame}, make, process);
  expect_same_without_threads(TemplateConfig{.search = TemplateSearch::frame}, make, process);
}

TEST(AutoPlacement, MovesTrackingByColour) {
  const auto make = [](const ColorConfig& config, std::shared_ptr<TrackerDevices> devices) {
    return make_color_tracker(config, std::move(devices));
  };
  const auto process = [](Tracker& tracker, const BoundingBox& box, int i) {
    if (i == 0) tracker.add(ColorModel::near(200, 20, 20, 30));
    test::ColorImage image(test::color_formats().back(), 234, 178);
    image.fill_box(static_cast<int>(box.x), static_cast<int>(box.y), 41, 33, {200, 20, 20});
    Frame frame;
    frame.color = image.picture();
    return tracker.process(frame);
  };
  for (const int blobs : {0, 2}) {
    expect_tried_everywhere(ColorConfig{.blobs = blobs, .trail = 3}, make, process);
  }
  expect_same_without_threads(ColorConfig{}, make, process);
}

}  // namespace
}  // namespace cltrack
