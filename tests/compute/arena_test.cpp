// SPDX-License-Identifier: LGPL-2.1-or-later
#include "compute/arena.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "compute/device.h"
#include "support/faults.h"

namespace cltrack {
namespace {

using testing::ElementsAre;
using Piece = std::shared_ptr<const Arena::Piece>;

constexpr std::size_t kStep = std::size_t{16} << 20;

class ArenaTest : public testing::Test {
 protected:
  void SetUp() override {
    CLTRACK_NEEDS_OPENCL();
    device_ = Device::open("0.0");
    use_arena({.largest = std::size_t{1} << 30});
    for (cl::CommandQueue& queue : queues_) {
      queue = cl::CommandQueue(device_->context(), device_->cl_device(), 0);
    }
  }

  struct Limits {
    std::size_t largest;
  };
  void use_arena(const Limits& limits) {
    DeviceInfo info = device_->info();
    info.memory = std::uint64_t{1} << 30;
    info.largest_allocation = limits.largest;
    arena_ = std::make_shared<Arena>(device_->context(), info);
  }

  std::vector<std::size_t> chunk_sizes() {
    std::vector<std::size_t> sizes;
    const Arena::Use use(arena_, queues_[0]);
    for (const cl::Buffer& chunk : use.chunks()) {
      sizes.push_back(chunk.getInfo<CL_MEM_SIZE>());
    }
    return sizes;
  }

  void fill(const Piece& piece, int value, int queue) const {
    Arena::Use use(arena_, queues_[queue]);
    queues_[queue].enqueueFillBuffer(use.chunks()[piece->chunk], value, piece->offset,
                                     piece->bytes);
    use.end();
  }

  // Commands that come to this queue begin later.
  void keep_busy(int queue, int commands) const {
    const cl::Buffer other(device_->context(), CL_MEM_READ_WRITE, kStep);
    for (int i = 0; i < commands; ++i) queues_[queue].enqueueFillBuffer(other, i, 0, kStep);
  }

  // Reads it into `values`, which are all of the piece; the event tells when.
  cl::Event read(const Piece& piece, std::vector<int>& values, int queue) const {
    values.assign(piece->bytes / sizeof(int), -1);
    Arena::Use use(arena_, queues_[queue]);
    queues_[queue].enqueueReadBuffer(use.chunks()[piece->chunk], CL_FALSE, piece->offset,
                                     piece->bytes, values.data());
    return use.end();
  }
  std::vector<int> values_of(const Piece& piece, int queue) const {
    std::vector<int> values;
    read(piece, values, queue).wait();
    return values;
  }
  static std::vector<int> all(const Piece& piece, int value) {
    return std::vector<int>(piece->bytes / sizeof(int), value);
  }

  std::shared_ptr<Device> device_;
  std::shared_ptr<Arena> arena_;
  cl::CommandQueue queues_[2];
};

TEST_F(ArenaTest, APieceTakesTheSmallestPlaceThatIsLargeEnough) {
  std::vector<Piece> places, between;
  for (const std::size_t bytes : {4096u, 1024u, 2048u}) {
    places.push_back(arena_->allocate(bytes));
    between.push_back(arena_->allocate(1));
  }
  std::vector<std::size_t> offsets;
  for (const Piece& place : places) offsets.push_back(place->offset);
  EXPECT_THAT(offsets, ElementsAre(0, 4096 + 256, 4096 + 1024 + 512));
  places.clear();
  const Piece small = arena_->allocate(1000), middle = arena_->allocate(2000),
              large = arena_->allocate(4000), more = arena_->allocate(1000);
  EXPECT_EQ(large->offset, offsets[0]);
  EXPECT_EQ(small->offset, offsets[1]);
  EXPECT_EQ(middle->offset, offsets[2]);
  EXPECT_GT(more->offset, between[2]->offset);
}

TEST_F(ArenaTest, OneChunkGrowsByAStepOrAnEighth) {
  const test::Faults count;
  std::vector<Piece> pieces;
  const std::size_t each = 10 << 20;
  for (int i = 0; i < 17; ++i) pieces.push_back(arena_->allocate(each));
  // 16 MB, 32 ... 128, and 144, 162 and 182.
  EXPECT_EQ(count.calls("clCreateBuffer"), 11);
  const std::size_t asked = pieces.size() * each;
  const std::vector<std::size_t> sizes = chunk_sizes();
  ASSERT_EQ(sizes.size(), 1u);
  EXPECT_GE(sizes[0], asked);
  EXPECT_LE(sizes[0], asked + std::max(kStep, asked / 32));
  // More than a step at a time.
  pieces.push_back(arena_->allocate(3 * kStep));
  EXPECT_EQ(count.calls("clCreateBuffer"), 12);
  EXPECT_EQ(count.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 1);
  // What has been given back is used again.
  pieces.clear();
  pieces.push_back(arena_->allocate(asked));
  EXPECT_EQ(count.calls("clCreateBuffer"), 12);
}

// Commands that were given to the driver before, even if they have not begun, and those that come
// after, of every queue.
TEST_F(ArenaTest, ContentsStayWhereTheyAreWhileItGrows) {
  const Piece first = arena_->allocate(1000), second = arena_->allocate(kStep / 2);
  keep_busy(0, 60);
  fill(first, 1, 0);
  keep_busy(1, 20);
  fill(second, 2, 1);
  const std::vector<Piece> more = {arena_->allocate(kStep), arena_->allocate(2 * kStep)};
  EXPECT_EQ(more[1]->chunk, 0u);
  EXPECT_EQ(more[1]->offset, more[0]->offset + kStep);
  std::vector<int> first_values, second_values;
  const cl::Event first_read = read(first, first_values, 1);
  const cl::Event second_read = read(second, second_values, 0);
  fill(more[1], 3, 0);
  first_read.wait();
  second_read.wait();
  EXPECT_EQ(first_values, all(first, 1));
  EXPECT_EQ(second_values, all(second, 2));
  EXPECT_EQ(values_of(more[1], 1), all(more[1], 3));
}

TEST_F(ArenaTest, TheVersionTellsOfOtherBuffers) {
  const Piece first = arena_->allocate(1);
  const auto version = [&] { return Arena::Use(arena_, queues_[0]).version(); };
  const std::uint64_t before = version();
  const Piece second = arena_->allocate(1);
  EXPECT_EQ(version(), before);
  const Piece third = arena_->allocate(kStep);
  EXPECT_NE(version(), before);
}

TEST_F(ArenaTest, FurtherChunksAreMadeWhereBuffersCannotBeLarger) {
  use_arena({.largest = kStep});
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < CLTRACK_CHUNKS; ++i) {
    pieces.push_back(arena_->allocate(kStep));
    EXPECT_EQ(pieces.back()->chunk, i);
    fill(pieces.back(), static_cast<int>(i), 0);
  }
  try {
    arena_->allocate(1);
    ADD_FAILURE() << "there is no more";
  } catch (const cl::Error& error) {
    EXPECT_EQ(error.err(), CL_MEM_OBJECT_ALLOCATION_FAILURE);
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(values_of(pieces[i], 0), all(pieces[i], static_cast<int>(i)));
  }
  pieces.erase(pieces.begin() + 3);
  EXPECT_EQ(arena_->allocate(kStep)->chunk, 3u);
}

// Nor where there is no memory for both: a driver tells that when the buffer is made, or used.
TEST_F(ArenaTest, FurtherChunksAreMadeWhereTheLargerOneCannotBe) {
  for (const char* const fault :
       {"clCreateBuffer@1-2=-4", "clEnqueueFillBuffer@1-2=-4", "clEnqueueCopyBuffer=-4"}) {
    SCOPED_TRACE(fault);
    use_arena({.largest = std::size_t{1} << 30});
    const Piece first = arena_->allocate(kStep / 2);
    fill(first, 5, 0);
    test::Faults faults(fault);
    const Piece second = arena_->allocate(kStep);
    EXPECT_EQ(second->chunk, 1u);
    faults.set({});
    fill(second, 6, 1);
    const Piece third = arena_->allocate(kStep);  // the last one grows
    EXPECT_EQ(third->chunk, 1u);
    EXPECT_EQ(values_of(first, 1), all(first, 5));
    EXPECT_EQ(values_of(second, 0), all(second, 6));
  }
}

// Who asks for more than there is gets nothing; others keep what they have.
TEST_F(ArenaTest, ALackOfMemoryIsToldToWhoAsks) {
  for (const char* const fault :
       {"clCreateBuffer=-4", "clEnqueueFillBuffer=-4", "clFinish=-4", "clEnqueueFillBuffer=-6"}) {
    SCOPED_TRACE(fault);
    use_arena({.largest = std::size_t{1} << 30});
    const Piece first = arena_->allocate(kStep / 2);
    fill(first, 5, 0);
    test::Faults faults(fault);
    EXPECT_THROW(arena_->allocate(kStep), cl::Error);
    faults.set({});
    EXPECT_EQ(chunk_sizes().size(), 1u);
    EXPECT_EQ(values_of(first, 1), all(first, 5));
    EXPECT_EQ(arena_->allocate(kStep)->chunk, 0u);
    EXPECT_EQ(values_of(first, 0), all(first, 5));
  }
}

// Another error is nobody's lack of memory.
TEST_F(ArenaTest, OtherErrorsAreTold) {
  const Piece first = arena_->allocate(kStep / 2);
  fill(first, 5, 0);
  test::Faults faults("clEnqueueCopyBuffer=-36");
  EXPECT_THROW(arena_->allocate(kStep), cl::Error);
  faults.set({});
  EXPECT_EQ(arena_->allocate(kStep)->chunk, 0u);
  EXPECT_EQ(values_of(first, 0), all(first, 5));
}

TEST_F(ArenaTest, ThreadsUseItWhileOthersMakeItGrow) {
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> threads;
    for (int queue = 0; queue < 2; ++queue) {
      threads.emplace_back([&, queue] {
        const Piece own = arena_->allocate(5000);
        for (int i = 0; i < 200; ++i) {
          fill(own, i, queue);
          wrong += values_of(own, queue) != all(own, i);
        }
      });
    }
    for (int thread = 0; thread < 2; ++thread) {
      threads.emplace_back([&] {
        std::vector<Piece> pieces;
        for (int i = 0; i < 12; ++i) {
          pieces.push_back(arena_->allocate(kStep / 4));
          if (i % 3 == 2) pieces.erase(pieces.begin());
          std::this_thread::yield();
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(chunk_sizes().size(), 1u);
}

}  // namespace
}  // namespace cltrack
