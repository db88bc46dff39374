// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements of one process start at the same time, each on a thread of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "cltrack/device_info.h"
#include "compute/driver_environment.h"

namespace cltrack {
namespace {

class FirstDevicesTest : public testing::Test {
 protected:
  static constexpr const char* kFiles = "/nonexistent/libfirst.so:/nonexistent/libsecond.so";
  static void SetUpTestSuite() { setenv("OCL_ICD_FILENAMES", kFiles, 1); }
  static void TearDownTestSuite() { unsetenv("OCL_ICD_FILENAMES"); }
};

TEST_F(FirstDevicesTest, ThreadsThatStartTogetherSeeTheSameDevices) {
  constexpr int kThreads = 4;
  std::vector<std::size_t> counts(kThreads);
  std::barrier start(kThreads);
  {
    std::vector<std::jthread> threads;
    for (std::size_t& count : counts) {
      threads.emplace_back([&start, &count] {
        start.arrive_and_wait();
        count = list_devices().size();
      });
    }
  }
  const std::size_t expected = list_devices().size();
  for (const std::size_t count : counts) EXPECT_EQ(count, expected);
}

// Debian's loader leaves "/nonexistent/libfirst.so" of it: a program that is started later needs
// both.
TEST_F(FirstDevicesTest, ListsInTheEnvironmentAreKeptWhole) {
  list_devices();
  EXPECT_THAT(driver_environment(), testing::Contains(std::string("OCL_ICD_FILENAMES=") + kFiles));
}

}  // namespace
}  // namespace cltrack
