// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/placement.h"

#include <gmock/gmock.h>

#include "cltrack/color_config.h"
#include "cltrack/template_config.h"
#include "cltrack/tld_config.h"
#include "placement/placed_devices.h"
#include "support/devices.h"
#include "support/errors.h"

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
  return test::error_of([&] { resolve(placement, kTldStages, machine()); }).what();
}

TEST(Placement, IsAutomaticUnlessSomebodySaysOtherwise) {
  for (const char* spec : {"auto", "AUTO"}) {
    Placement placement;
    placement.device = spec;
    for (const PlacedStage& placed : resolve(placement, kTldStages, machine())) {
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
  EXPECT_EQ(specs(resolve(placement, kTldStages, machine())), std::vector<std::string>(5, "0.0"));
  placement["motion"] = "host";
  placement["nn"] = "cpu";
  placement["learn"] = "auto";
  const auto placed = resolve(placement, kTldStages, machine());
  EXPECT_EQ(specs(placed), (std::vector<std::string>{"host", "0.0", "1.0", "host", "0.0"}));
  EXPECT_FALSE(placed[0].automatic);
  EXPECT_TRUE(placed[3].automatic);
  EXPECT_EQ(placed[2].requested, "cpu");
  EXPECT_EQ(placed[2].stage.name, "nn");
}

TEST(Placement, ErrorsNameThePropertyAndListTheDevices) {
  Placement placement;
  placement["ferns"] = "accelerator";
  EXPECT_THAT(message_of(placement),
              AllOf(StartsWith("fern-device: "), HasSubstr("\"accelerator\""), HasSubstr("auto"),
                    HasSubstr("0.0 (gpu, Fast Graphics), 1.0 (cpu, pthread)")));
  placement = {};
  placement.device = "3.1";
  EXPECT_THAT(message_of(placement), StartsWith("device: "));
  placement["motion"] = "host";
  EXPECT_THAT(message_of(placement), StartsWith("device: "));
}

TEST(Placement, AStageThatATrackerDoesNotHaveIsRefused) {
  Placement placement;
  placement["fern"] = "host";
  EXPECT_THAT(message_of(placement), AllOf(HasSubstr("\"fern\""), HasSubstr("motion, ferns, nn")));
  EXPECT_EQ(placement.of(kTldStages), Placement());
  placement["fern"].clear();
  EXPECT_NO_THROW(resolve(placement, kTldStages, machine()));
}

TEST(Placement, EveryStageHasANameAndAProperty) {
  std::vector<std::string_view> names, properties;
  for (const std::span<const StageInfo> stages :
       {std::span<const StageInfo>(kTldStages), std::span<const StageInfo>(kTemplateStages),
        std::span<const StageInfo>(kColorStages)}) {
    for (const StageInfo& stage : stages) {
      names.push_back(stage.name);
      properties.push_back(stage.property);
    }
  }
  EXPECT_THAT(names,
              testing::ElementsAre("motion", "ferns", "nn", "learn", "network", "match", "color"));
  EXPECT_THAT(properties,
              testing::ElementsAre("motion-device", "fern-device", "nn-device", "learn-device",
                                   "network-device", "match-device", "color-device"));
}

TEST(PlacedDevices, StagesOnOneDeviceShareAQueue) {
  for (const DeviceInfo& info : test::devices()) {
    Placement placement;
    placement.device = info.spec;
    placement["motion"] = "host";
    const PlacedDevices devices(resolve(placement, kTldStages), Device::host()->make_queue());
    EXPECT_EQ(&devices.queue(1), &devices.queue(2));
    EXPECT_EQ(devices.device(1).info().spec, info.spec);
    EXPECT_EQ(&devices.queue(0), &devices.host());
  }
}

}  // namespace
}  // namespace cltrack
