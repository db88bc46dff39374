// SPDX-License-Identifier: LGPL-2.1-or-later
// Elements of one process start at the same time, each on a thread of its own.
#include <gtest/gtest.h>

#include <barrier>
#include <thread>
#include <vector>

#include "compute/device_info.h"

namespace cltrack {
namespace {

TEST(FirstDevicesTest, ThreadsThatStartTogetherSeeTheSameDevices) {
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

}  // namespace
}  // namespace cltrack
