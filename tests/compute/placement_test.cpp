// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/placement.h"

#include <gmock/gmock.h>

#include "cltrack/error.h"
#include "compute/placed_devices.h"
#include "support/devices.h"

namespace cltrack {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<DeviceInfo> machine() {
  std::vector<DeviceInfo> devices(3);
  devices[0].spec = "host";
  devices[1].spec = "0.0";
  devices[1].type = DeviceType::gpu;
  devices[1].name = "Fast Graphics";
  devices[2].spec = "1.0";
  devices[2].type = DeviceType::cpu;
  devices[2].name = "pthread";
  return devices;
}

std::vector<std::string> specs(const std::vector<PlacedStage>& placed) {
  std::vector<std::string> result;
  for (const PlacedStage& stage : placed) result.push_back(stage.device.spec);
  return result;
}

std::string message_of(const Placement& placement) {
  try {
    resolve(placement, machine());
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(Placement, IsAutomaticUnlessSomebodySaysOtherwise) {
  for (const char* spec : {"auto", "AUTO"}) {
    Placement placement;
    placement.device = spec;
    for (const PlacedStage& placed : resolve(placement, machine())) {
      EXPECT_TRUE(placed.automatic);
      EXPECT_EQ(placed.requested, spec);
      EXPECT_EQ(placed.device.spec, "host");
    }
  }
  EXPECT_EQ(Placement().device, "auto");
}

TEST(Placement, DeviceSetsAllStagesAndTheirOwnOverrideIt) {
  Placement placement;
  placement.device = "gpu";
  EXPECT_EQ(specs(resolve(placement, machine())), std::vector<std::string>(6, "0.0"));
  placement[Stage::flow] = "host";
  placement[Stage::nn] = "cpu";
  placement[Stage::color] = "auto";
  const auto placed = resolve(placement, machine());
  EXPECT_EQ(specs(placed), (std::vector<std::string>{"host", "0.0", "1.0", "0.0", "0.0", "host"}));
  EXPECT_FALSE(placed[0].automatic);
  EXPECT_TRUE(placed[5].automatic);
  EXPECT_EQ(placed[2].requested, "cpu");
  EXPECT_EQ(placed[2].stage, Stage::nn);
}

TEST(Placement, ErrorsNameThePropertyAndListTheDevices) {
  Placement placement;
  placement[Stage::ferns] = "accelerator";
  EXPECT_THAT(message_of(placement),
              AllOf(StartsWith("fern-device: "), HasSubstr("\"accelerator\""), HasSubstr("auto"),
                    HasSubstr("0.0 (gpu, Fast Graphics), 1.0 (cpu, pthread)")));
  placement = {};
  placement.device = "3.1";
  EXPECT_THAT(message_of(placement), StartsWith("device: "));
  placement[Stage::flow] = "host";
  EXPECT_THAT(message_of(placement), StartsWith("device: "));
}

TEST(Placement, EveryStageHasANameAndAProperty) {
  std::vector<std::string> names, properties;
  for (const Stage stage : kStages) {
    names.push_back(to_string(stage));
    properties.push_back(property_name(stage));
  }
  EXPECT_THAT(names, testing::ElementsAre("flow", "ferns", "nn", "learn", "match", "color"));
  EXPECT_THAT(properties, testing::ElementsAre("flow-device", "fern-device", "nn-device",
                                               "learn-device", "match-device", "color-device"));
}

TEST(PlacedDevices, StagesOnOneDeviceShareAQueue) {
  for (const DeviceInfo& info : test::devices()) {
    Placement placement;
    placement.device = info.spec;
    placement[Stage::flow] = "host";
    const PlacedDevices devices(resolve(placement));
    EXPECT_EQ(&devices.queue(Stage::ferns), &devices.queue(Stage::nn));
    EXPECT_EQ(devices.device(Stage::ferns).info().spec, info.spec);
    EXPECT_TRUE(devices.device(Stage::flow).is_host());
  }
}

}  // namespace
}  // namespace cltrack
