// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/array.h"

#include <gtest/gtest.h>

#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#include "compute/cl.h"
#include "compute/memory_copies.h"
#include "core/random.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

std::vector<int> counted(std::size_t size, int first = 0) {
  std::vector<int> values(size);
  std::iota(values.begin(), values.end(), first);
  return values;
}

std::vector<int> read(const Array<int>& array) {
  const auto values = array.host_read();
  return {values.begin(), values.end()};
}

// What the device has, read by a command of its own.
std::vector<int> read_from(Queue& queue, const Array<int>& array) {
  if (queue.is_host()) return read(array);
  Array<int> copy(array.size());
  test::copy_on_device(queue, array.device_read(queue), copy.device_write(queue),
                       array.size() * sizeof(int));
  return read(copy);
}

// What a kernel that writes `value` everywhere would do.
void fill(Queue& queue, Array<int>& array, int value) {
  if (queue.is_host()) {
    std::ranges::fill(array.host_write(), value);
    return;
  }
  test::fill_on_device(queue, array.device_write(queue), value, 0, array.size());
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

TEST_P(ArrayOnDevice, FetchesPartsToAnotherArray) {
  Array<int> array(counted(5000)), part;
  move_to_device(array);
  const auto fetch = [&](std::size_t first, std::size_t count) {
    array.fetch(first, count, part);
    const std::vector<int> all = counted(5000);
    EXPECT_EQ(read(part),
              std::vector<int>(all.begin() + static_cast<std::ptrdiff_t>(first),
                               all.begin() + static_cast<std::ptrdiff_t>(first + count)));
  };
  for (const auto& [first, count] :
       {std::pair{0u, 5000u}, {17u, 3000u}, {4999u, 1u}, {2000u, 3000u}, {5000u, 0u}}) {
    fetch(first, count);
    if (count > 0) part.host_update()[0] = -1;  // changes nothing there
  }
  for (const auto& [first, count] : {std::pair{4999u, 2u}, {5001u, 0u}, {0u, 5001u}}) {
    EXPECT_THROW(array.fetch(first, count, part), Error) << first;
  }
  fetch(7, 100);
  EXPECT_EQ(read_from(*queue_, part), read(part)) << "it may go on to a device";
  fetch(9, 100);
  EXPECT_EQ(read_from(*queue_, part), read(part)) << "whose copy is renewed";
  EXPECT_EQ(read(array), counted(5000));
}

TEST_P(ArrayOnDevice, FetchedPartsAreNotMixedWithWhatCameAfter) {
  if (queue_->is_host()) return;
  Array<int> array(5000), part;
  for (int i = 0; i < 20; ++i) {
    fill(*queue_, array, i);
    const TransferCount before = queue_->count();
    array.fetch(1000, 2000, part);
    fill(*queue_, array, i + 100);
    EXPECT_EQ(queue_->count().waits, before.waits) << "nobody waits";
    EXPECT_EQ((queue_->count() - before).bytes_down, 2000 * sizeof(int));
    queue_->finish();
    EXPECT_EQ(read(part), std::vector<int>(2000, i));
    EXPECT_EQ(queue_->count().waits, before.waits + 1);
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
      test::fill_on_device(*queues[q], array.device_update(*queues[q]), -round, q, 1);
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
  const auto place = [&] {
    const DeviceBuffer& buffer = array.device_read(*queue_);
    return std::pair(buffer.whole(), buffer.offset);
  };
  const auto before = place();
  for (const std::size_t size : {1200u, 1500u, 2000u, 10u, 1900u}) {
    array.resize(size);
    fill(*queue_, array, static_cast<int>(size));
    EXPECT_EQ(place(), before) << size;
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
      test::copy_on_device(*queue_, array.device_read(*queue_), copy.device_write(*queue_),
                           part.size_bytes());
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
// Nothing goes up again, and the memory outlives the one that made it.
TEST_P(ArrayOnDevice, SharesWhatNobodyWrites) {
  Array<int> first, second;
  {
    const Array<int> uploaded(counted(100003));
    if (!queue_->is_host()) {
      uploaded.device_read(*queue_);
      queue_->finish();
    }
    first.share(uploaded);
    second.share(first);
  }
  const auto other = device_->make_queue();
  for (Array<int>* each : {&first, &second}) {
    EXPECT_EQ(read(*each), counted(100003));
    EXPECT_EQ(read_from(*other, *each), counted(100003));
    EXPECT_THROW(each->host_write(), Error);
  }
  EXPECT_EQ(other->count().bytes_up, 0u);
  EXPECT_EQ(first.host_read().data(), second.host_read().data());
  first.resize(3);  // of its own from now on
  fill(*queue_, first, 1);
  EXPECT_EQ(read(first), std::vector<int>(3, 1));
  EXPECT_EQ(read(second), counted(100003));
}

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
      test::copy_on_device(*queue, array.device_read(*queue), copy.device_write(*queue),
                           part.size_bytes());
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
  EXPECT_EQ(test::error_of([&] { array.device_write(*queue_); }).code(), ErrorCode::out_of_memory);
}

// Of the uploads of one queue.
struct Moved {
  explicit Moved(const Queue& queue) : queue_(queue), before_(queue.count()) {}
  TransferCount now() const { return queue_.count() - before_; }

 private:
  const Queue& queue_;
  TransferCount before_;
};

TEST_P(ArrayOnDevice, UploadsOnlyWhatTheHostChanged) {
  std::vector<int> expected = counted(100000);
  Array<int> array(expected);
  EXPECT_EQ(read_from(*queue_, array), expected);
  const auto change = [&](std::size_t first, std::size_t count) {
    const std::span<int> part = array.host_update(first, count);
    ASSERT_EQ(part.size(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(part[i], expected[first + i]);
      part[i] = expected[first + i] = -static_cast<int>(first) - 7;
    }
  };
  const auto expect_moved = [&](std::size_t elements, std::uint64_t copies) {
    const Moved moved(*queue_);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(read_from(*queue_, array), expected);
    const bool moves = !queue_->is_host() && !device_->is_zero_copy();
    EXPECT_EQ(moved.now().bytes_up, moves ? elements * sizeof(int) : 0);
    // The other copies are those of read_from().
    EXPECT_EQ(moved.now().copies, moves ? copies + 3 : 0);
    EXPECT_EQ(read(array), expected);
  };
  change(10, 5);
  expect_moved(5, 1);
  change(0, 1);
  change(99999, 1);
  expect_moved(2, 2);
  // What touches or overlaps is one.
  change(500, 10);
  change(490, 10);
  change(505, 15);
  change(485, 2);
  expect_moved(32, 2);
  change(0, 0);
  expect_moved(0, 0);
  change(0, 100000);
  expect_moved(100000, 1);
}

TEST_P(ArrayOnDevice, ManyPartsCostFewCopies) {
  Array<int> array(counted(1000));
  EXPECT_EQ(read_from(*queue_, array), counted(1000));
  std::vector<int> expected = counted(1000);
  for (std::size_t i = 0; i < 100; ++i) {
    const std::size_t at = i * 37 % 100 * 10;
    array.host_update(at, 2)[1] = expected[at + 1] = -5;
  }
  const Moved moved(*queue_);
  EXPECT_EQ(read_from(*queue_, array), expected);
  if (queue_->is_host() || device_->is_zero_copy()) return;
  EXPECT_EQ(moved.now().copies, ByteRanges::kMost + 1);
  EXPECT_LT(moved.now().bytes_up, 1000 * sizeof(int));
}

TEST_P(ArrayOnDevice, PartsOfWhatADeviceWroteAreFetchedFirst) {
  Array<int> array(1000);
  fill(*queue_, array, 3);
  array.host_update(4, 2)[1] = 9;
  std::vector<int> expected(1000, 3);
  expected[5] = 9;
  const Moved moved(*queue_);
  EXPECT_EQ(read_from(*queue_, array), expected);
  if (!queue_->is_host() && !device_->is_zero_copy()) {
    EXPECT_EQ(moved.now().bytes_up, 2 * sizeof(int));
  }
  array.host_update(7, 1)[0] = 8;
  fill(*queue_, array, 4);  // what the host had changed is gone
  EXPECT_EQ(read_from(*queue_, array), std::vector<int>(1000, 4));
  EXPECT_EQ(read(array), std::vector<int>(1000, 4));
}

TEST_P(ArrayOnDevice, PartsBehindTheEndAreNotMissed) {
  Array<int> array(counted(1000));
  EXPECT_EQ(read_from(*queue_, array), counted(1000));
  array.host_update(90, 20)[0] = -1;
  array.host_update(500, 20)[0] = -1;
  array.resize(100);
  std::vector<int> expected = counted(100);
  expected[90] = -1;
  const Moved moved(*queue_);
  EXPECT_EQ(read_from(*queue_, array), expected);
  if (!queue_->is_host() && !device_->is_zero_copy()) {
    EXPECT_EQ(moved.now().bytes_up, 10 * sizeof(int));
  }
  for (const auto& [first, count] : {std::pair{99u, 2u}, {101u, 0u}, {0u, 101u}}) {
    EXPECT_THROW(array.host_update(first, count), Error) << first;
  }
  EXPECT_EQ(read(array), expected);
}

TEST_P(ArrayOnDevice, ChangingPartsWaitsForThoseWhoReadThem) {
  std::vector<Array<int>> arrays(20), copies(20);
  for (std::size_t i = 0; i < arrays.size() && !queue_->is_host(); ++i) {
    arrays[i].assign(counted(100000));
    copies[i].resize(100000);
    test::copy_on_device(*queue_, arrays[i].device_read(*queue_), copies[i].device_write(*queue_),
                         400000);
    arrays[i].memory().used(*queue_);
    std::ranges::fill(arrays[i].host_update(1, 99998), -1);
    EXPECT_EQ(read(copies[i]), counted(100000));
    EXPECT_EQ(arrays[i].host_read()[99998], -1);
  }
}

TEST_P(ArrayOnDevice, RefusesPartsOfBorrowedMemory) {
  const std::vector<int> values = counted(10);
  Array<int> array;
  array.borrow(values);
  EXPECT_THROW(array.host_update(2, 3), Error);
  EXPECT_EQ(read_from(*queue_, array), values);
}

// Against an array of the host's alone.
TEST_P(ArrayOnDevice, AnyOrderOfChangesByHostAndDevices) {
  std::vector<std::shared_ptr<Queue>> queues = {queue_, device_->make_queue()};
  for (const DeviceInfo& info : test::device_cases()) {
    queues.push_back(Device::open(info)->make_queue());
  }
  Random random(5);
  const auto below = [&](std::size_t n) {
    return std::size_t{random.below(static_cast<std::uint32_t>(n))};
  };
  constexpr std::size_t kSize = 20000;  // enough to be staged
  std::vector<int> expected = counted(kSize);
  Array<int> array(expected);
  for (int step = 0; step < 400; ++step) {
    Queue& queue = *queues[below(queues.size())];
    const std::size_t first = below(kSize), count = 1 + below(std::min(kSize - first, kSize / 9));
    const std::span<int> part = std::span(expected).subspan(first, count);
    switch (below(8)) {
      case 0:
        array.host_write();
        array.assign(expected);
        break;
      case 1:
        std::ranges::fill(part, step);
        if (queue.is_host()) {
          std::ranges::copy(expected, array.host_update().begin());
        } else {
          test::fill_on_device(queue, array.device_update(queue), step, first, count);
        }
        break;
      case 2:
      case 3:
        ASSERT_EQ(read_from(queue, array), expected) << step;
        break;
      case 4:
        ASSERT_EQ(read(array), expected) << step;
        break;
      default:
        std::ranges::fill(part, step);
        std::ranges::copy(part, array.host_update(first, count).begin());
    }
  }
  for (const auto& queue : queues) ASSERT_EQ(read_from(*queue, array), expected);
}

CLTRACK_ON_EVERY_DEVICE(ArrayOnDevice);

TEST(ByteRanges, MergesWhatTouchesAndWhatIsTooMuch) {
  const auto all = [](const ByteRanges& ranges) {
    return std::vector<ByteRange>(ranges.all().begin(), ranges.all().end());
  };
  ByteRanges ranges;
  ranges.add({5, 5});
  EXPECT_TRUE(ranges.empty());
  for (const ByteRange& range : {ByteRange{40, 50}, {10, 20}, {60, 70}, {20, 25}, {35, 40}}) {
    ranges.add(range);
  }
  EXPECT_EQ(all(ranges), (std::vector<ByteRange>{{10, 25}, {35, 50}, {60, 70}}));
  ranges.add({24, 60});
  EXPECT_EQ(all(ranges), (std::vector<ByteRange>{{10, 70}}));
  ranges.add({80, 90});
  EXPECT_EQ(ranges.bounds(), (ByteRange{10, 90}));
  ranges.clip(85);
  EXPECT_EQ(all(ranges), (std::vector<ByteRange>{{10, 70}, {80, 85}}));
  ranges.clip(80);
  EXPECT_EQ(all(ranges), (std::vector<ByteRange>{{10, 70}}));
  ranges.clear();
  for (std::size_t i = 0; i <= ByteRanges::kMost; ++i) {
    const std::size_t begin = 100 * i - (i == 7 ? 50 : 0);
    ranges.add({begin, begin + 10});
  }
  EXPECT_EQ(ranges.all().size(), ByteRanges::kMost);
  EXPECT_EQ(ranges.all()[6], (ByteRange{600, 660}));
}

struct FakePlane {
  int borrowed = 0;
  bool fails_to_borrow = false;
  bool fails_to_release = false;

  void borrow(int pictures) {
    borrowed += pictures;
    if (fails_to_borrow) throw std::runtime_error("half of it");
  }
  void release() {
    borrowed = 0;
    if (fails_to_release) throw std::runtime_error("a device that failed");
  }
};

TEST(ScopedBorrow, LastsAsLongAsTheBlock) {
  FakePlane plane;
  {
    const ScopedBorrow borrowed(plane, 1);
    EXPECT_EQ(plane.borrowed, 1);
  }
  EXPECT_EQ(plane.borrowed, 0);
}

TEST(ScopedBorrow, IsReleasedAfterAThrow) {
  FakePlane plane;
  const auto work = [&] {
    const ScopedBorrow borrowed(plane, 1);
    throw std::logic_error("of the work");
  };
  EXPECT_THROW(work(), std::logic_error);
  EXPECT_EQ(plane.borrowed, 0);
  plane.fails_to_release = true;
  EXPECT_THROW(work(), std::logic_error) << "the first error is the one that is told";
  EXPECT_EQ(plane.borrowed, 0);
}

TEST(ScopedBorrow, LeavesNothingOfWhatCouldNotBeBorrowed) {
  FakePlane plane{.fails_to_borrow = true};
  EXPECT_THROW(ScopedBorrow(plane, 1), std::runtime_error);
  EXPECT_EQ(plane.borrowed, 0);
}

}  // namespace
}  // namespace cltrack
