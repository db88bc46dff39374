// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/array.h"

#include <functional>
#include <numeric>
#include <span>
#include <vector>

#include "compute/cl.h"
#include "support/devices.h"

namespace cltrack {
namespace {

std::vector<int> counted(std::size_t size, int first = 0) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<int> read(Array<int>& array) {
  const auto values = array.host_read();
  return {values.begin(), values.end()};
}

// What a kernel that writes `value` everywhere would do.
void fill(Queue& queue, Array<int>& array, int value) {
  if (queue.is_host()) {
    std::ranges::fill(array.host_write(), value);
    return;
  }
  queue.commands().enqueueFillBuffer(array.device_write(queue), value, 0,
                                     array.size() * sizeof(int));
  queue.enqueued();
}

class ArrayOnDevice : public test::DeviceTest {
 protected:
  // Puts the contents on the device, if there is one.
  void move_to_device(Array<int>& array) {
    if (!queue_->is_host()) array.device_update(*queue_);
  }
};

TEST_P(ArrayOnDevice, ComesBackAsItWent) {
  for (const std::size_t size : {1u, 15u, 16u, 17u, 1000u, 100003u}) {
    Array<int> array(counted(size));
    move_to_device(array);
    EXPECT_EQ(read(array), counted(size));
  }
}

TEST_P(ArrayOnDevice, MovesOncePerWrite) {
  if (queue_->is_host()) return;
  Array<int> array(counted(100));
  const std::uint64_t bytes = device_->is_zero_copy() ? 0 : 400;
  for (int i = 0; i < 3; ++i) array.device_read(*queue_);
  EXPECT_EQ(queue_->count().bytes_up, bytes);
  for (int i = 0; i < 3; ++i) read(array);
  EXPECT_EQ(queue_->count().bytes_down, 0u);
  fill(*queue_, array, 5);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(read(array), std::vector<int>(100, 5));
  EXPECT_EQ(queue_->count().bytes_down, bytes);
  EXPECT_EQ(queue_->count().bytes_up, bytes);
  array.host_write()[0] = 1;
  array.device_read(*queue_);
  EXPECT_EQ(queue_->count().bytes_up, 2 * bytes);
}

TEST_P(ArrayOnDevice, NeedsNoHostToStartWith) {
  Array<int> array(1000);
  fill(*queue_, array, 7);
  EXPECT_EQ(queue_->count().bytes_up, 0u);
  EXPECT_EQ(read(array), std::vector<int>(1000, 7));
}

TEST_P(ArrayOnDevice, SeesWhatTheHostChanges) {
  Array<int> array(10);
  fill(*queue_, array, 1);
  array.host_update()[3] = 9;
  move_to_device(array);
  EXPECT_EQ(read(array), (std::vector<int>{1, 1, 1, 9, 1, 1, 1, 1, 1, 1}));
  fill(*queue_, array, 2);
  EXPECT_EQ(read(array), std::vector<int>(10, 2));
}

TEST_P(ArrayOnDevice, FetchedArraysCostOneWait) {
  if (queue_->is_host()) return;
  Array<int> a(5000), b(300);
  fill(*queue_, a, 1);
  fill(*queue_, b, 2);
  a.fetch();
  b.fetch();
  queue_->finish();
  EXPECT_EQ(read(a), std::vector<int>(5000, 1));
  EXPECT_EQ(read(b), std::vector<int>(300, 2));
  EXPECT_EQ(queue_->count().waits, 1u);
}

TEST_P(ArrayOnDevice, WhatWasFetchedIsNotMixedWithWhatCameAfter) {
  Array<int> array(5000);
  for (int i = 0; i < 20; ++i) {
    fill(*queue_, array, i);
    array.fetch();
    fill(*queue_, array, i + 100);
    EXPECT_EQ(read(array), std::vector<int>(5000, i + 100));
  }
}

TEST_P(ArrayOnDevice, WritingWhileDevicesReadWaitsForThem) {
  // Uploads that are not finished read host memory; the second contents must not slip in.
  std::vector<Array<int>> arrays(20);
  for (Array<int>& array : arrays) {
    array.assign(counted(100000));
    move_to_device(array);
    if (!queue_->is_host()) array.device_update(*queue_);
    std::ranges::fill(array.host_write(), -1);
    EXPECT_EQ(read(array), std::vector<int>(100000, -1));
  }
}

TEST_P(ArrayOnDevice, IsOrderedBetweenQueues) {
  const auto other = device_->make_queue();
  Array<int> array(200000);
  for (int i = 0; i < 10; ++i) {
    fill(*queue_, array, i);
    fill(*other, array, i + 50);
    EXPECT_EQ(read(array), std::vector<int>(200000, i + 50));
  }
}

TEST_P(ArrayOnDevice, TravelsBetweenAllDevices) {
  Array<int> array(counted(5000));
  std::vector<std::shared_ptr<Queue>> queues = {queue_};
  for (const DeviceInfo& info : test::device_cases()) {
    queues.push_back(Device::open(info)->make_queue());
  }
  std::vector<int> expected = counted(5000);
  for (int round = 1; round < 4; ++round) {
    // Each of them changes a number of its own.
    for (std::size_t q = 0; q < queues.size(); ++q) {
      expected[q] = -round;
      if (queues[q]->is_host()) {
        array.host_update()[q] = -round;
        continue;
      }
      queues[q]->commands().enqueueFillBuffer(array.device_update(*queues[q]), -round,
                                              sizeof(int) * q, sizeof(int));
      queues[q]->enqueued();
    }
    EXPECT_EQ(read(array), expected) << round;
  }
}

// Drivers may wait for all that is queued before they let a buffer go.
TEST_P(ArrayOnDevice, KeepsItsBufferWhileItGrowsBitByBit) {
  if (queue_->is_host()) return;
  Array<int> array(1000);
  fill(*queue_, array, 1);
  array.resize(1100);
  fill(*queue_, array, 2);
  const cl_mem buffer = array.device_read(*queue_)();
  for (const std::size_t size : {1200u, 1500u, 2000u, 10u, 1900u}) {
    array.resize(size);
    fill(*queue_, array, static_cast<int>(size));
    EXPECT_EQ(array.device_read(*queue_)(), buffer) << size;
    EXPECT_EQ(read(array), std::vector<int>(size, static_cast<int>(size)));
  }
}

TEST_P(ArrayOnDevice, BorrowsWithoutCopying) {
  const std::vector<int> values = counted(1001);
  Array<int> array;
  for (std::size_t offset = 0; offset < 4; ++offset) {
    const std::span<const int> part = std::span(values).subspan(offset);
    array.borrow(part);
    EXPECT_EQ(array.host_read().data(), part.data());
    Array<int> copy(part.size());
    if (!queue_->is_host()) {
      queue_->commands().enqueueCopyBuffer(array.device_read(*queue_), copy.device_write(*queue_),
                                           0, 0, part.size_bytes());
      queue_->enqueued();
      EXPECT_EQ(read(copy), std::vector<int>(part.begin(), part.end()));
    }
    EXPECT_THROW(array.host_write(), Error);
    array.release();
  }
  array.resize(3);
  fill(*queue_, array, 4);
  EXPECT_EQ(read(array), std::vector<int>(3, 4));
}

// A picture that is copied for its upload by several threads, and comes again with other contents.
TEST_P(ArrayOnDevice, StagesPartsInAnyOrder) {
  if (queue_->is_host()) return;
  int parts = 0;
  const auto backwards = [&](int count, const std::function<void(int)>& part) {
    for (int i = count; i-- > 0;) part(i);
    parts += count;
  };
  const auto other = device_->make_queue();
  std::vector<int> values(300000);
  Array<int> array;
  for (const std::size_t size : {200000u, 200000u, 150001u, 300000u, 5u}) {
    std::iota(values.begin(), values.end(), static_cast<int>(size) + parts);
    const std::span<const int> part = std::span<const int>(values).first(size);
    array.borrow(part);
    Array<int> copy(size);
    for (const auto& queue : {queue_, other}) {
      array.stage(*queue, backwards);
      queue->commands().enqueueCopyBuffer(array.device_read(*queue), copy.device_write(*queue), 0,
                                          0, part.size_bytes());
      queue->enqueued();
      EXPECT_EQ(read(copy), std::vector<int>(part.begin(), part.end())) << size;
    }
    array.release();
  }
  EXPECT_EQ(parts > 0, !device_->is_zero_copy());
}

TEST_P(ArrayOnDevice, CanBeEmptyAndMoved) {
  Array<int> empty;
  EXPECT_TRUE(read(empty).empty());
  empty.resize(0);
  move_to_device(empty);
  EXPECT_TRUE(read(empty).empty());
  Array<int> from(counted(9));
  move_to_device(from);
  Array<int> to = std::move(from);
  EXPECT_EQ(read(to), counted(9));
  empty = std::move(to);
  EXPECT_EQ(read(empty), counted(9));
}

TEST_P(ArrayOnDevice, SaysThatItDoesNotFit) {
  if (queue_->is_host()) return;
  Array<char> array(device_->info().largest_allocation + 1);
  try {
    array.device_write(*queue_);
    FAIL() << "more than the device allows";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  }
}

CLTRACK_ON_EVERY_DEVICE(ArrayOnDevice);

}  // namespace
}  // namespace cltrack
