// SPDX-License-Identifier: LGPL-2.1-or-later
#include "support/devices.h"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string_view>

#include "compute/device_list.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

DeviceInfo device(const char* spec, DeviceType type, const char* name) {
  DeviceInfo info;
  info.spec = spec;
  info.type = type;
  info.name = name;
  return info;
}

const std::vector<DeviceInfo> kMachine = {
    device("host", DeviceType::host, "host (plain C++)"),
    device("0.0", DeviceType::gpu, "Fast Graphics 100"),
    device("0.1", DeviceType::gpu, "Fast Graphics 100 Ti"),
    device("2.0", DeviceType::cpu, "pthread-Some Processor"),
};

std::string spec_of(std::string_view spec) { return find_device(spec, kMachine).spec; }

// Whether tests on devices have tested another device than the host.
TEST(Devices, OpenClIsThereWhereItIsRequired) {
  const char* required = std::getenv("CLTRACK_REQUIRE_OPENCL");
  const bool found = test::devices().size() > 1;
  if (required != nullptr && std::string_view(required) == "1") {
    ASSERT_TRUE(found) << "CLTRACK_REQUIRE_OPENCL=1, but there is no OpenCL device: install PoCL";
  } else if (!found) {
    GTEST_SKIP() << "NO OPENCL DEVICE: all tests on devices have checked the host only";
  }
  for (const DeviceInfo& info : test::devices()) {
    std::printf("checked device: %s (%s, %s)\n", info.spec.c_str(), to_string(info.type),
                info.name.c_str());
  }
}

TEST(Devices, ThoseThatCannotRunTheKernelsSayWhy) {
  DeviceInfo info = device("0.0", DeviceType::gpu, "Graphics");
  info.device_version = "OpenCL 1.2 Graphics";
  info.largest_group = 256;
  EXPECT_EQ(obstacle(info), "");
  info.largest_group = 128;
  EXPECT_THAT(obstacle(info), AllOf(HasSubstr("128"), HasSubstr("256 are needed")));
  info.type = DeviceType::cpu;  // whose work-groups are of one item
  EXPECT_EQ(obstacle(info), "");
  info.device_version = "OpenCL 3.0";
  EXPECT_EQ(obstacle(info), "");
  for (const char* version : {"OpenCL 1.1 Mesa", "", "1.2"}) {
    info.device_version = version;
    EXPECT_THAT(obstacle(info), HasSubstr("not 1.2"));
  }
}

TEST(Devices, HostIsFirstAndEveryoneFindsThemselves) {
  const std::vector<DeviceInfo> devices = list_devices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.front().spec, "host");
  for (const DeviceInfo& info : devices) {
    EXPECT_EQ(find_device(info.spec).name, info.name);
    EXPECT_FALSE(info.name.empty());
    EXPECT_GT(info.units, 0);
    EXPECT_GT(info.memory, 0u);
    EXPECT_GT(info.largest_allocation, 0u);
  }
}

TEST(Devices, AreFoundByTypeIndexAndPartOfTheName) {
  EXPECT_EQ(spec_of("host"), "host");
  EXPECT_EQ(spec_of("HOST"), "host");
  EXPECT_EQ(spec_of("cpu"), "2.0");
  EXPECT_EQ(spec_of("0.1"), "0.1");
  EXPECT_EQ(spec_of("some proc"), "2.0");
  EXPECT_EQ(spec_of("100 ti"), "0.1");
}

TEST(Devices, AWholeNameIsNotAmbiguous) { EXPECT_EQ(spec_of("fast graphics 100"), "0.0"); }

TEST(Devices, UnknownOnesAreErrorsThatListThosePresent) {
  for (const char* spec : {"accelerator", "0.2", "1.0", "Slow", "plain"}) {
    const Error error = error_of([&] { find_device(spec, kMachine); });
    EXPECT_EQ(error.code(), ErrorCode::device_missing);
    EXPECT_THAT(error.what(), AllOf(HasSubstr('"' + std::string(spec) + '"'), HasSubstr("allowed"),
                                    HasSubstr("host, 0.0 (gpu, Fast Graphics 100), 0.1"),
                                    HasSubstr("2.0 (cpu, pthread-Some Processor)")));
  }
}

TEST(Devices, AmbiguousOnesAreErrorsThatSayWhatTheyMean) {
  for (const char* spec : {"gpu", "graphics"}) {
    const Error error = error_of([&] { find_device(spec, kMachine); });
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("ambiguous"), HasSubstr("0.0 (gpu"), HasSubstr("0.1 (gpu")));
  }
  EXPECT_EQ(error_of([] { find_device("", kMachine); }).code(), ErrorCode::invalid_argument);
}

// Run by the test "without-opencl" in a process where the loader is missing.
TEST(DISABLED_WithoutOpenCl, TheHostIsAllThereIs) {
  EXPECT_EQ(list_devices().size(), 1u);
  EXPECT_TRUE(Device::open("host")->is_host());
  EXPECT_EQ(error_of([] { Device::open("gpu"); }).code(), ErrorCode::device_missing);
}

}  // namespace
}  // namespace cltrack
