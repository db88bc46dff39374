// SPDX-License-Identifier: LGPL-2.1-or-later
// Queues of one device that come and go, with commands of all kinds: nobody is left waiting, and
// everybody gets what is theirs.
#include "compute/submitter.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include "compute/array.h"
#include "compute/memory_copies.h"
#include "core/random.h"
#include "support/devices.h"

namespace cltrack {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 600;

class SubmitterTest : public test::DeviceTest {};

// Uploads `size` numbers, and says that only the device has them.
Array<int> uploaded(Queue& queue, std::size_t size, int first) {
  Array<int> array(size);
  auto values = array.host_write();
  for (std::size_t i = 0; i < size; ++i) values[i] = first + static_cast<int>(i);
  array.device_update(queue);
  queue.enqueued();
  array.memory().used(queue);
  return array;
}

bool is_as_uploaded(const Array<int>& array, int first) {
  const auto values = array.host_read();
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] != first + static_cast<int>(i)) return false;
  }
  return true;
}

// Some leave without waiting for what they have started.
TEST_P(SubmitterTest, NobodyIsLeftWaiting) {
  if (queue_->is_host()) GTEST_SKIP() << "the host records nothing";
  std::atomic<int> wrong = 0;
  const auto work = [&](int thread) {
    Random random(static_cast<std::uint64_t>(thread) + 1);
    std::shared_ptr<Queue> queue = queue_->device().make_queue();
    for (int round = 0; round < kRounds; ++round) {
      const int first = 1000 * (thread * kRounds + round);
      // The largest ones are no small copies.
      const Array<int> one = uploaded(*queue, 1 + random.below(40000), first);
      const Array<int> other = uploaded(*queue, 1 + random.below(100), first);
      const auto way = random.below(4);
      if (way > 1) queue->flush();
      if (way == 3) {
        queue = queue_->device().make_queue();
        continue;
      }
      one.fetch();
      other.fetch();
      if (way == 0) queue->finish();
      if (!is_as_uploaded(other, first) || !is_as_uploaded(one, first)) ++wrong;
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

// What a queue has recorded reaches those who use its memory with another queue.
TEST_P(SubmitterTest, QueuesFollowEachOther) {
  if (queue_->is_host()) GTEST_SKIP() << "the host records nothing";
  // Of the same submitter, and of others.
  std::vector<std::shared_ptr<Queue>> others;
  for (int i = 0; i < 4; ++i) others.push_back(queue_->device().make_queue());
  for (int round = 0; round < 20; ++round) {
    for (const std::shared_ptr<Queue>& other : others) {
      Array<int> array = uploaded(*queue_, 20000, round);
      array.device_update(*other);
      other->enqueued();
      array.memory().used(*other);
      EXPECT_TRUE(is_as_uploaded(array, round)) << round;
    }
  }
}

CLTRACK_ON_EVERY_DEVICE(SubmitterTest);

}  // namespace
}  // namespace cltrack
