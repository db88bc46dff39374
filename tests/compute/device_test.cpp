// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <stop_token>
#include <string_view>
#include <thread>
#include <vector>

#include "compute/cl.h"
#include "compute/device_list.h"
#include "compute/memory.h"
#include "compute/pinned_memory.h"
#include "compute/program_cache.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

using test::error_of;
using testing::AllOf;
using testing::HasSubstr;

class OnDevice : public test::DeviceTest {};

TEST_P(OnDevice, IsSharedWhileAnybodyHoldsIt) {
  const Device* first = device_.get();
  EXPECT_EQ(Device::open(GetParam()).get(), first);
  std::vector<std::shared_ptr<Device>> opened(8);
  std::vector<std::thread> threads;
  for (auto& slot : opened) threads.emplace_back([&] { slot = Device::open(GetParam()); });
  for (std::thread& thread : threads) thread.join();
  for (const auto& slot : opened) EXPECT_EQ(slot.get(), first);
}

TEST_P(OnDevice, IsLetGoOf) {
  const std::weak_ptr<Device> watch = device_;
  queue_.reset();
  device_.reset();
  EXPECT_TRUE(watch.expired());
  EXPECT_NE(Device::open(GetParam()), nullptr);
}

TEST_P(OnDevice, BuildsEveryKernelFile) {
  if (device_->is_host()) return;
  // Nobody else asks for them without options: they need not be kept.
  ProgramCache programs(GetParam(), device_->context(), device_->cl_device(), {});
  for (const KernelSource& source : kernel_sources()) {
    SCOPED_TRACE(source.name);
    const cl::Program program = programs.program(source.name, {});
    EXPECT_GT(program.getInfo<CL_PROGRAM_NUM_KERNELS>(), 0u);
  }
}

TEST_P(OnDevice, KeepsTheCompilersLog) {
  if (device_->is_host()) return;
  const Error error = error_of([&] {
    device_->programs().program_from_source("broken", "kernel void f() { no_such_name = 1; }", {});
  });
  EXPECT_EQ(error.code(), ErrorCode::build_failed);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("broken.cl"), HasSubstr(device_->info().spec)));
  EXPECT_THAT(error.details(), HasSubstr("no_such_name"));
}

TEST_P(OnDevice, NamesTheKernelsThereAre) {
  if (device_->is_host()) return;
  test::expect_rejected([&] { device_->kernel("no_such_file", "f"); }, {"integral"});
  EXPECT_THROW(device_->kernel("integral", "no_such_function"), Error);
}

TEST_P(OnDevice, BuildsInTheBackground) {
  device_->build_in_background({{"integral", "-DTEST=1"}, {"integral", "-DTEST=2"}}).get();
  std::future<void> failing = device_->build_in_background({{"no_such_file", ""}});
  if (device_->is_host()) {
    EXPECT_NO_THROW(failing.get());
  } else {
    EXPECT_THROW(failing.get(), Error);
  }
}

TEST(Host, RunsNoKernels) {
  const auto host = Device::host();
  EXPECT_TRUE(host->is_host());
  EXPECT_THROW(host->kernel("integral", "integral_rows"), Error);
  host->make_queue()->finish();
}

TEST(Host, RunsPartsOnItsThreads) {
  const auto queue = Device::host()->make_queue(3);
  EXPECT_EQ(queue->threads(), 3);
  std::vector<int> done(100);
  queue->run(100, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(done, std::vector<int>(100, 1));

  std::stop_source source;
  queue->set_stop(source.get_token());
  queue->run(1, [](int) {});
  source.request_stop();
  EXPECT_EQ(error_of([&] { queue->run(1, [](int) { FAIL(); }); }).code(), ErrorCode::interrupted);
  queue->set_stop({});
  queue->run(1, [&](int) { ++done[0]; });
  EXPECT_EQ(done[0], 2);
}

CLTRACK_ON_EVERY_DEVICE(OnDevice);

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

class PinnedMemoryOf : public test::DeviceTest {};

// Drivers seem to count pinned memory as memory of the device.
TEST_P(PinnedMemoryOf, TheFirstCopyIsNotKept) {
  if (queue_->is_host()) GTEST_SKIP() << "nothing is uploaded";
  const std::vector<int> values(50'000, 7);
  const std::size_t bytes = values.size() * sizeof(int);
  StagingBuffer staging;
  const auto source = [&] { return staging.source_of(values.data(), bytes, bytes, *queue_); };
  const void* const first = source();
  const std::shared_ptr<std::byte> given = staging.give_first();
  ASSERT_NE(given, nullptr);
  EXPECT_EQ(given.get(), first);
  const void* const second = source();
  EXPECT_NE(second, first);
  EXPECT_EQ(staging.give_first(), nullptr);
  EXPECT_EQ(source(), second);
  EXPECT_EQ(std::memcmp(first, values.data(), bytes), 0);
  EXPECT_EQ(std::memcmp(second, values.data(), bytes), 0);
}

TEST_P(PinnedMemoryOf, KnowsWhatIsPartOfIt) {
  if (queue_->is_host()) return;
  auto first = PinnedMemory::make(device_->info(), 1000);
  const auto second = PinnedMemory::make(device_->info(), 5000);
  ASSERT_TRUE(first && second);
  for (const auto& [memory, bytes] : {std::pair{first.get(), 1000}, {second.get(), 5000}}) {
    const auto* data = static_cast<const std::byte*>(memory->data());
    EXPECT_TRUE(PinnedMemory::holds(data));
    EXPECT_TRUE(PinnedMemory::holds(data + bytes - 1));
  }
  const void* const data = first->data();
  first.reset();
  EXPECT_FALSE(PinnedMemory::holds(data));
  EXPECT_TRUE(PinnedMemory::holds(second->data()));
  const std::vector<std::byte> other(1000);
  EXPECT_FALSE(PinnedMemory::holds(other.data()));
  EXPECT_FALSE(PinnedMemory::holds(nullptr));
}

TEST_P(PinnedMemoryOf, IsWrittenAndReadByTheDevice) {
  if (queue_->is_host()) return;
  const auto memory = PinnedMemory::make(device_->info(), 40000);
  ASSERT_TRUE(memory);
  const std::span<int> values(static_cast<int*>(memory->data()), 10000);
  std::ranges::fill(values, 5);
  const cl::Buffer buffer(device_->context(), CL_MEM_READ_WRITE, 40000);
  queue_->commands().enqueueWriteBuffer(buffer, CL_TRUE, 0, 40000, values.data());
  std::ranges::fill(values, 0);
  queue_->commands().enqueueReadBuffer(buffer, CL_TRUE, 0, 40000, values.data());
  EXPECT_EQ(std::ranges::count(values, 5), 10000);
}

CLTRACK_ON_EVERY_DEVICE(PinnedMemoryOf);

}  // namespace
}  // namespace cltrack
