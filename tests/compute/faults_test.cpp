// SPDX-License-Identifier: LGPL-2.1-or-later
// Errors of OpenCL, in every call.
#include "support/faults.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include "compute/array.h"
#include "compute/device.h"
#include "compute/memory_copies.h"
#include "compute/queue.h"
#include "compute/recording.h"
#include "compute/submitter.h"
#include "ops/planes/integral.h"
#include "support/errors.h"
#include "support/fault_sweep.h"

namespace cltrack {
namespace {

using test::error_of;
using test::Faults;
using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;

TEST(Faults, WithoutAPlatformTheHostIsAllThereIs) {
  const Faults faults("clGetPlatformIDs=-1001");
  EXPECT_EQ(list_devices().size(), 1u);
  const Error error = error_of([] { Device::open("gpu"); });
  EXPECT_EQ(error.code(), ErrorCode::device_missing);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("\"gpu\""), HasSubstr("devices present: host")));
}

TEST(Faults, PlatformsWithoutDevicesAreLeftOut) {
  for (const char* fault : {"clGetDeviceIDs=-1", "clGetDeviceIDs=-6", "clGetDeviceInfo=-33",
                            "clGetPlatformInfo=-32", "CL_DEVICE_AVAILABLE=0"}) {
    const Faults faults(fault);
    EXPECT_EQ(list_devices().size(), 1u) << fault;
    EXPECT_EQ(error_of([] { Device::open("0.0"); }).code(), ErrorCode::device_missing) << fault;
  }
}

// Any work that uploads, launches, downloads and waits.
void integrate_on(Queue& queue) {
  Plane plane;
  plane.resize(512, 192);
  std::ranges::fill(plane.pixels.host_write(), std::uint8_t{1});
  IntegralArrays integrals;
  integrate(queue, plane, integrals);
  integrals.sums.fetch();
  EXPECT_EQ(integrals.sums.host_read().back(), 512u * 192u);
}

TEST(Faults, EveryCallThatFailsIsAnErrorThatNamesTheDevice) {
  CLTRACK_NEEDS_OPENCL();
  // As a GPU, so that there are uploads and downloads.
  const std::string gpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";
  Faults faults(gpu);
  integrate_on(*Device::open("0.0")->make_queue());
  const struct {
    const char* fault;
    ErrorCode code;
    const char* doing;
  } kCases[] = {
      {"clCreateContext=-5", ErrorCode::device_failed, "opening device 0.0"},
      {"clCreateCommandQueue=-5", ErrorCode::device_failed, "making a queue on 0.0"},
      {"clCreateBuffer=-4", ErrorCode::out_of_memory, "a buffer of 98304 bytes on 0.0"},
      {"clCreateBuffer=-61", ErrorCode::out_of_memory, "a buffer of 98304 bytes on 0.0"},
      {"clCreateKernel=-5", ErrorCode::device_failed, "on 0.0"},
      {"clSetKernelArg=-5", ErrorCode::device_failed, "on 0.0"},
      {"clEnqueueWriteBuffer=-5", ErrorCode::device_failed, "submitting commands to 0.0"},
      {"clEnqueueWriteBuffer@2=-5", ErrorCode::device_failed, "upload of 98304 bytes to 0.0"},
      {"clEnqueueNDRangeKernel=-5", ErrorCode::device_failed, "on 0.0"},
      {"clEnqueueReadBuffer=-5", ErrorCode::device_failed, "bytes from 0.0"},
      {"clFinish=-36", ErrorCode::device_failed, "a buffer of 98304 bytes on 0.0"},
      {"clFinish@2=-36,clWaitForEvents=-14", ErrorCode::device_failed, "waiting for 0.0"},
  };
  for (const auto& [fault, code, doing] : kCases) {
    SCOPED_TRACE(fault);
    faults.set(gpu + "," + fault);
    const Error error = error_of([] { integrate_on(*Device::open("0.0")->make_queue()); });
    EXPECT_EQ(error.code(), code);
    EXPECT_THAT(error.what(), AllOf(HasSubstr(doing), HasSubstr("CL_")));
  }
  // After a failure a new start works.
  faults.set(gpu);
  integrate_on(*Device::open("0.0")->make_queue());
}

TEST(Faults, ACompilersLogIsKept) {
  CLTRACK_NEEDS_OPENCL();
  const Faults faults("clBuildProgram=-11");
  const Error error = error_of([] { integrate_on(*Device::open("0.0")->make_queue()); });
  EXPECT_EQ(error.code(), ErrorCode::build_failed);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("integral.cl"), HasSubstr("on 0.0"),
                                  HasSubstr("CL_BUILD_PROGRAM_FAILURE")));
  EXPECT_THAT(error.details(), HasSubstr("this kernel shall not build"));
}

TEST(Faults, ACompilerWithoutALogStillFailsForItsOwnReason) {
  CLTRACK_NEEDS_OPENCL();
  const Faults faults("clBuildProgram=-11,clGetProgramBuildInfo=-5");
  const Error error = error_of([] { integrate_on(*Device::open("0.0")->make_queue()); });
  EXPECT_EQ(error.code(), ErrorCode::build_failed);
  EXPECT_THAT(error.what(), HasSubstr("CL_BUILD_PROGRAM_FAILURE"));
}

TEST(Faults, ABufferLargerThanTheDeviceAllowsIsNotTried) {
  CLTRACK_NEEDS_OPENCL();
  const Faults faults("CL_DEVICE_MAX_MEM_ALLOC_SIZE=90000");
  const Error error = error_of([] { integrate_on(*Device::open("0.0")->make_queue()); });
  EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  EXPECT_THAT(error.what(), AllOf(HasSubstr("98304 bytes"), HasSubstr("0.0"),
                                  HasSubstr("90000 bytes"), HasSubstr("another device")));
  EXPECT_EQ(faults.calls("clCreateBuffer"), 0);
}

TEST(Faults, OthersGetANewDeviceAfterOneHasFailed) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults;
  DeviceCache cache;
  const DeviceInfo info = find_device("0.0");
  cache.keep(info);
  const auto first = Device::open("0.0");
  faults.set("clCreateBuffer=-4");
  EXPECT_THROW(integrate_on(*first->make_queue()), Error);
  EXPECT_FALSE(first->has_failed()) << "it has too little memory, nothing worse";
  faults.set("clEnqueueNDRangeKernel=-5");
  EXPECT_THROW(integrate_on(*first->make_queue()), Error);
  EXPECT_TRUE(first->has_failed());
  faults.set({});
  cache.keep(info);
  EXPECT_EQ(cache.size(), 1u);
  const auto second = Device::open("0.0");
  EXPECT_NE(second, first);
  EXPECT_EQ(Device::open("0.0"), second);
  integrate_on(*second->make_queue());
}

// Borrowed memory may be freed after release(), even if release() throws.
TEST(Faults, MemoryIsLetGoOfEvenIfItsDeviceHasFailed) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults;
  const auto queue = Device::open("0.0")->make_queue();
  IntegralArrays integrals;
  Plane plane;
  {
    const std::vector<std::uint8_t> pixels(64 * 48, 1);
    plane.borrow({pixels.data(), 64, 48, 64});
    integrate(*queue, plane, integrals);
    faults.set("clFinish=-5,clWaitForEvents=-5");
    EXPECT_THROW(plane.release(), Error);
  }
  faults.set({});
  const std::vector<std::uint8_t> others(64 * 48, 2);
  plane.borrow({others.data(), 64, 48, 64});
  integrate(*queue, plane, integrals);
  integrals.sums.fetch();
  EXPECT_EQ(integrals.sums.host_read().back(), 2u * 64u * 48u);
  EXPECT_NO_THROW(plane.release());
}

// A client's memory is free when it is told of its failure, whoever submits its commands: here
// another one, who waits for PoCL.
TEST(Faults, NoCommandIsSubmittedForWhoHasLeft) {
  CLTRACK_NEEDS_OPENCL();
  Faults faults(test::kFaultyGpu);
  const auto device = Device::open("0.0");
  const auto queue = device->make_queue(), held_by = device->make_queue();
  Submitter submitter(*device, device->arena().shared_from_this());
  Array<int> array(10);
  std::uint64_t last = 0;
  const auto hand_over = [&](const Submitter::ClientRef& client) {
    std::ranges::fill(array.host_write(), 7);
    array.device_read(*queue);
    submitter.hand_over(client, *queue->recording(), ++last);
  };
  const auto fails = submitter.join(), submits = submitter.join();
  hand_over(fails);
  submitter.submit(fails);
  faults.add("clWaitForEvents@1-1=-5");
  auto held = lock_for_launch(*device, held_by->commands());
  hand_over(fails);
  const std::uint64_t position = last;
  hand_over(submits);
  const auto submitted = std::async(std::launch::async, [&] { submitter.submit(submits); });
  // Too short a time would hide a fault, and make none.
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  auto told = std::async(std::launch::async, [&] { submitter.wait(fails, position); });
  if (held.owns_lock()) {
    EXPECT_EQ(told.wait_for(std::chrono::milliseconds(100)), std::future_status::timeout);
    held.unlock();
  }
  EXPECT_THROW(told.get(), Error);
  submitted.wait();
  submitter.wait(submits, last);
  EXPECT_EQ(faults.failures("clWaitForEvents"), 1);
}

}  // namespace
}  // namespace cltrack
