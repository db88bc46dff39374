// SPDX-License-Identifier: LGPL-2.1-or-later
// Queues of one device that come and go, with commands of all kinds: nobody is left waiting, and
// everybody gets what is theirs.
#include "compute/submitter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "compute/array.h"
#include "compute/memory_copies.h"
#include "compute/recording.h"
#include "core/random.h"
#include "ops/planes/blur.h"
#include "ops/planes/integral.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 600;

using test::noise_image;
using test::PaddedImage;

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

// A batch is of those who launch the same kernels; others have the next one. What a client hands
// over stays in order, alike or not.
TEST_P(SubmitterTest, WhatIsAlikeGoesTogether) {
  if (queue_->recording() == nullptr) GTEST_SKIP() << "the device launches at once";
  Device& device = queue_->device();
  Submitter submitter(device, device.arena().shared_from_this());
  const auto hand_over = [&](const Submitter::ClientRef& client, std::uint64_t last,
                             const auto& record) {
    record();
    submitter.hand_over(client, *queue_->recording(), last);
  };
  Plane picture, blurred[3];
  const PaddedImage image = noise_image(61, 47, 1);
  picture.borrow(image.view());
  IntegralArrays integrals;
  Array<int> uploaded_alone(10);
  std::vector<Submitter::ClientRef> clients;
  for (int i = 0; i < 4; ++i) clients.push_back(submitter.join());
  const auto& [copies, first, other, second] =
      std::tie(clients[0], clients[1], clients[2], clients[3]);
  hand_over(copies, 1, [&] {
    std::ranges::fill(uploaded_alone.host_write(), 7);
    uploaded_alone.device_read(*queue_);
  });
  hand_over(first, 1, [&] { blur(*queue_, picture, blurred[0]); });
  hand_over(other, 1, [&] { integrate(*queue_, picture, integrals); });
  hand_over(other, 2, [&] { blur(*queue_, picture, blurred[2]); });
  hand_over(second, 1, [&] { blur(*queue_, picture, blurred[1]); });
  EXPECT_EQ(submitter.wait(second, 1), 1u);
  EXPECT_EQ(submitter.launches(), 2u);  // copies, and blur
  EXPECT_EQ(submitter.wait(copies, 1), 1u);
  EXPECT_EQ(submitter.wait(first, 1), 1u);
  EXPECT_EQ(submitter.launches(), 2u);
  EXPECT_EQ(submitter.wait(other, 2), 2u);
  EXPECT_EQ(submitter.launches(), 5u);  // the two of the integrals, and blur
  queue_->finish();
  for (const Plane& each : blurred) {
    EXPECT_TRUE(std::ranges::equal(each.pixels.host_read(), blurred[0].pixels.host_read()));
  }
}

// Also those of one client, as far as none needs what another one writes.
TEST_P(SubmitterTest, LaunchesThatNeedNothingOfEachOtherGoTogether) {
  if (queue_->recording() == nullptr) GTEST_SKIP() << "the device launches at once";
  Device& device = queue_->device();
  Submitter submitter(device, device.arena().shared_from_this());
  const auto client = submitter.join();
  Plane picture, one, other, again, expected;
  const PaddedImage image = noise_image(61, 47, 1);
  picture.borrow(image.view());
  blur(*queue_, picture, one);
  blur(*queue_, picture, other);
  blur(*queue_, one, again);    // of the first one's result
  blur(*queue_, picture, one);  // over what was read
  submitter.hand_over(client, *queue_->recording(), 1);
  EXPECT_EQ(submitter.wait(client, 1), 1u);
  EXPECT_EQ(submitter.launches(), 4u);  // a copy, two together, and two that wait
  const auto host = Device::host()->make_queue();
  blur(*host, picture, expected);
  for (const Plane* each : {&one, &other}) {
    EXPECT_TRUE(std::ranges::equal(each->pixels.host_read(), expected.pixels.host_read()));
  }
  Plane twice;
  blur(*host, expected, twice);
  EXPECT_TRUE(std::ranges::equal(again.pixels.host_read(), twice.pixels.host_read()));
}

// A picture blurred twice; the first result lies in scratch memory.
struct BlurredTwice {
  explicit BlurredTwice(PaddedImage picture) : image(std::move(picture)) {
    Plane once, twice;
    plane.borrow(image.view());
    between.pixels = Array<std::uint8_t>(kScratch);
    const std::shared_ptr<Queue> host = Device::host()->make_queue();
    blur(*host, plane, once);
    blur(*host, once, twice);
    for (const auto& [from, to] : {std::pair{&once, &once_expected}, {&twice, &twice_expected}}) {
      to->assign(from->pixels.host_read().begin(), from->pixels.host_read().end());
    }
  }

  void record(Queue& queue) {
    blur(queue, plane, between);
    blur(queue, between, result);
  }
  bool is_right() const { return std::ranges::equal(result.pixels.host_read(), twice_expected); }

  PaddedImage image;
  Plane plane, between, result;
  std::vector<std::uint8_t> once_expected, twice_expected;
};

TEST_P(SubmitterTest, ScratchMemoryIsForCommandsOfTheSameTime) {
  BlurredTwice pictures(noise_image(211, 97, 1));
  for (int round = 0; round < 3; ++round) {
    pictures.record(*queue_);
    EXPECT_TRUE(pictures.is_right());
  }
  const auto again = [&] { blur(*queue_, pictures.between, pictures.result); };
  if (queue_->recording() == nullptr) {
    again();
    EXPECT_TRUE(pictures.is_right());
    return;
  }
  EXPECT_EQ(test::error_of(again).code(), ErrorCode::failed);
  EXPECT_EQ(test::error_of([&] { pictures.between.pixels.host_read(); }).code(), ErrorCode::failed);
}

TEST_P(SubmitterTest, ScratchMemoryCanBeFetched) {
  BlurredTwice pictures(noise_image(211, 97, 1)), others(noise_image(97, 211, 2));
  blur(*queue_, pictures.plane, pictures.between);
  pictures.between.pixels.fetch();
  blur(*queue_, pictures.between, pictures.result);
  pictures.between.pixels.discard();
  others.record(*queue_);
  EXPECT_TRUE(others.is_right());
  EXPECT_TRUE(pictures.is_right());
  EXPECT_TRUE(std::ranges::equal(pictures.between.pixels.host_read(), pictures.once_expected));
}

TEST_P(SubmitterTest, WhatIsDiscardedIsUsedAgain) {
  BlurredTwice one(noise_image(211, 97, 1)), other(noise_image(97, 211, 2));
  for (int round = 0; round < 5; ++round) {
    for (BlurredTwice* pictures : {&one, &other}) {
      pictures->record(*queue_);
      pictures->between.pixels.discard();
    }
  }
  EXPECT_TRUE(one.is_right());
  EXPECT_TRUE(other.is_right());
}

TEST(Recording, HasScratchMemoryAsOftenAsItIsGivenBack) {
  Recording recording;
  const PieceRef first = recording.scratch(1000), second = recording.scratch(300);
  EXPECT_EQ(first->offset, 0u);
  EXPECT_EQ(second->offset, 1024u);
  recording.give_back(first);
  EXPECT_FALSE(recording.has(first));
  EXPECT_TRUE(recording.has(second));
  EXPECT_EQ(recording.scratch(2000)->offset, 1536u) << "the gap is too small";
  EXPECT_EQ(recording.scratch(700)->offset, 0u);
  EXPECT_EQ(recording.scratch(0)->offset, 768u);
  EXPECT_EQ(recording.take().scratch_bytes, 1536u + 2048);
  EXPECT_FALSE(recording.has(second));
  EXPECT_EQ(recording.scratch(1)->offset, 0u);
  EXPECT_EQ(recording.take().scratch_bytes, 256u);
  EXPECT_EQ(recording.take().scratch_bytes, 0u);
}

// Each queue has its own, and together they have more than a batch may.
TEST_P(SubmitterTest, QueuesShareABatchsScratchMemory) {
  std::atomic<int> wrong = 0;
  const auto work = [&](int thread) {
    const std::shared_ptr<Queue> queue = queue_->device().make_queue();
    BlurredTwice pictures(noise_image(60 + 10 * thread, 50, static_cast<std::uint64_t>(thread)));
    for (int round = 0; round < kRounds / 10; ++round) {
      Array<std::uint8_t> large(kScratch);
      if (queue->recording() != nullptr && round % 3 == thread % 3) {
        large.resize(std::size_t{70} << 20);
        large.device_write(*queue);
      }
      pictures.record(*queue);
      if (round % 2 == 0) queue->flush();
      if (!pictures.is_right()) ++wrong;
    }
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < kThreads; ++i) threads.emplace_back(work, i);
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

// Those that have fitted alone go one after the other; who does not fit alone ends, and nobody
// else.
TEST_P(SubmitterTest, WhatDoesNotFitTogetherGoesInParts) {
  if (queue_->recording() == nullptr) GTEST_SKIP() << "the device launches at once";
  constexpr std::size_t kChunk = std::size_t{16} << 20;
  DeviceInfo info = GetParam();
  info.memory = kChunk;
  info.largest_allocation = kChunk;  // CLTRACK_CHUNKS of them
  Device& device = queue_->device();
  const auto arena = std::make_shared<Arena>(device.context(), info);
  Submitter submitter(device, arena);
  std::vector<PieceRef> taken;  // all but two chunks
  while (taken.size() + 2 < CLTRACK_CHUNKS) taken.push_back(arena->allocate(kChunk));
  const auto hand_over = [&](const Submitter::ClientRef& client, std::uint64_t last,
                             std::size_t scratch) {
    Recording recording;
    recording.scratch(scratch);
    submitter.hand_over(client, recording, last);
  };
  std::vector<Submitter::ClientRef> clients;
  for (int i = 0; i < 3; ++i) clients.push_back(submitter.join());
  // Each in a batch of its own, so that the memory is known to suffice.
  hand_over(clients[0], 1, kChunk / 2);
  EXPECT_EQ(submitter.wait(clients[0], 1), 1u);
  taken.push_back(arena->allocate(kChunk));  // half a chunk is left, besides
  for (const Submitter::ClientRef& client : clients) hand_over(client, 2, kChunk / 2);
  for (const Submitter::ClientRef& client : clients) EXPECT_EQ(submitter.wait(client, 2), 2u);
  // One that needs what the others' batches have.
  hand_over(clients[0], 3, kChunk);
  EXPECT_EQ(submitter.wait(clients[0], 3), 3u);
  for (const Submitter::ClientRef& client : clients) {
    hand_over(client, 4, client == clients[1] ? 2 * kChunk : kChunk / 4);
  }
  EXPECT_EQ(test::error_of([&] { submitter.wait(clients[1], 4); }).code(),
            ErrorCode::out_of_memory);
  EXPECT_EQ(submitter.wait(clients[0], 4), 4u);
  EXPECT_EQ(submitter.wait(clients[2], 4), 4u);
}

CLTRACK_ON_EVERY_DEVICE(SubmitterTest);

}  // namespace
}  // namespace cltrack
