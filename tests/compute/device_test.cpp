// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/device.h"

#include <gmock/gmock.h>

#include <stop_token>
#include <thread>
#include <vector>

#include "compute/cl.h"
#include "compute/program_cache.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

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
  try {
    device_->programs().program_from_source("broken", "kernel void f() { no_such_name = 1; }", {});
    FAIL() << "a broken kernel was built";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::build_failed);
    EXPECT_THAT(error.what(), HasSubstr("broken.cl"));
    EXPECT_THAT(error.what(), HasSubstr(device_->info().spec));
    EXPECT_THAT(error.details(), HasSubstr("no_such_name"));
  }
}

TEST_P(OnDevice, NamesTheKernelsThereAre) {
  if (device_->is_host()) return;
  try {
    device_->kernel("no_such_file", "f");
    FAIL() << "a kernel out of nowhere";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), HasSubstr("integral"));
  }
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
  EXPECT_EQ(test::error_of([&] { queue->run(1, [](int) { FAIL(); }); }).code(),
            ErrorCode::interrupted);
  queue->set_stop({});
  queue->run(1, [&](int) { ++done[0]; });
  EXPECT_EQ(done[0], 2);
}

CLTRACK_ON_EVERY_DEVICE(OnDevice);

}  // namespace
}  // namespace cltrack
