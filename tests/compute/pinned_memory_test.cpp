// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/pinned_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "compute/cl.h"
#include "support/devices.h"

namespace cltrack {
namespace {

class PinnedMemoryOf : public test::DeviceTest {};

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
