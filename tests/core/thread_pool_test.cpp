// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/thread_pool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <deque>
#include <latch>
#include <memory>
#include <mutex>
#include <new>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "support/errors.h"

namespace cltrack {
namespace {

class ThreadPoolTest : public testing::TestWithParam<int> {};

TEST_P(ThreadPoolTest, DoesEveryTaskOnce) {
  ThreadPool pool(GetParam());
  EXPECT_EQ(pool.threads(), GetParam());
  for (const int count : {0, 1, 2, 7, 1000}) {
    std::vector<int> done(static_cast<std::size_t>(count));
    pool.run(count, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(done, std::vector<int>(static_cast<std::size_t>(count), 1));
  }
}

TEST_P(ThreadPoolTest, CanBeUsedManyTimes) {
  ThreadPool pool(GetParam());
  std::vector<long> sums(3);
  for (int round = 0; round < 2000; ++round) {
    pool.run(3, [&](int i) { sums[static_cast<std::size_t>(i)] += round; });
  }
  for (const long sum : sums) EXPECT_EQ(sum, 1999L * 2000 / 2);
}

TEST_P(ThreadPoolTest, BeginsNoTaskAfterARequestToStop) {
  ThreadPool pool(GetParam());
  std::stop_source source;
  std::atomic<int> begun = 0;
  const auto task = [&](int i) {
    ++begun;
    if (i == 20) source.request_stop();
    while (i > 20 && !source.stop_requested()) std::this_thread::yield();
  };
  const Error error = test::error_of([&] { pool.run(1000, task, source.get_token()); });
  EXPECT_EQ(error.code(), ErrorCode::interrupted);
  EXPECT_GE(begun, 21);
  EXPECT_LT(begun, 21 + GetParam());
  begun = 0;
  EXPECT_THROW(pool.run(3, task, source.get_token()), Error);
  EXPECT_EQ(begun, 0);
  pool.run(3, task, {});
  EXPECT_EQ(begun, 3) << "works on afterwards";
}

TEST_P(ThreadPoolTest, ThrowsWhatTheFirstFailingTaskThrew) {
  ThreadPool pool(GetParam());
  std::atomic<int> done = 0;
  try {
    pool.run(100, [&](int i) {
      ++done;
      if (i == 20 || i == 70) throw std::runtime_error(std::to_string(i));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "20");
  }
  done = 0;
  pool.run(10, [&](int) { ++done; });
  EXPECT_EQ(done, 10) << "works on after a failure";
}

TEST_P(ThreadPoolTest, AllThreadsMayFailAtOnce) {
  ThreadPool pool(GetParam());
  std::latch begun(pool.threads());  // each thread has one task, and all fail together
  try {
    pool.run(pool.threads(), [&](int i) {
      begun.arrive_and_wait();
      throw std::runtime_error(std::to_string(i));
    });
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "0");
  }
}

TEST_P(ThreadPoolTest, DoesTasksOfTasksOnTheThreadThatCalls) {
  ThreadPool pool(GetParam());
  std::vector<int> done(200);
  pool.run(20, [&](int i) {
    const auto own = std::this_thread::get_id();
    pool.run(10, [&](int j) {
      EXPECT_EQ(std::this_thread::get_id(), own);
      ++done[static_cast<std::size_t>(10 * i + j)];
    });
  });
  EXPECT_EQ(done, std::vector<int>(200, 1));
}

// Starts as many threads, and then fails as a system that allows no more does.
ThreadPool::Start start_only(int threads, std::exception_ptr failure) {
  return [left = threads, failure](const std::function<void()>& body) mutable {
    if (left-- == 0) std::rethrow_exception(failure);
    return std::thread(body);
  };
}

TEST_P(ThreadPoolTest, HasFewerWorkersWhereTheSystemAllowsNoMore) {
  const auto no_more = std::make_exception_ptr(
      std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)));
  for (int started = 0; started < GetParam(); ++started) {
    ThreadPool pool(GetParam(), start_only(started, no_more));
    EXPECT_EQ(pool.threads(), started + 1);
    if (pool.threads() == GetParam()) {
      EXPECT_EQ(pool.shortage(), "");
    } else {
      EXPECT_THAT(pool.shortage(),
                  testing::StartsWith("threads=" + std::to_string(GetParam()) +
                                      ": the system allows only " + std::to_string(started + 1) +
                                      " (Resource temporarily unavailable)"));
    }
    std::vector<int> done(100);
    pool.run(100, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
    EXPECT_EQ(done, std::vector<int>(100, 1));
  }
}

TEST_P(ThreadPoolTest, EndsItsWorkersIfItCannotBeMade) {
  for (int started = 0; started < GetParam() - 1; ++started) {
    const auto start = start_only(started, std::make_exception_ptr(std::bad_alloc()));
    EXPECT_THROW(ThreadPool(GetParam(), start), std::bad_alloc);
  }
}

TEST(ThreadPools, ShareTheirWorkers) {
  const std::size_t processors = std::max(2u, std::thread::hardware_concurrency());
  std::vector<std::unique_ptr<ThreadPool>> pools(2 * processors);
  for (auto& pool : pools) pool = std::make_unique<ThreadPool>(2);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  for (const auto& pool : pools) {
    EXPECT_EQ(pool->threads(), 2);
    for (int round = 0; round < 20; ++round) {
      pool->run(10, [&](int) {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      });
    }
  }
  EXPECT_LE(threads.size(), processors);
}

TEST(ThreadPools, DoNotWaitForWorkersThatAreBusy) {
  const int most = static_cast<int>(std::thread::hardware_concurrency()) + 1;
  ThreadPool all(most);
  std::latch begun(most + 1), end(1);
  std::jthread other([&] {
    all.run(most, [&](int) {
      begun.arrive_and_wait();
      end.wait();
    });
  });
  begun.arrive_and_wait();  // there is no worker left
  ThreadPool pool(2);
  std::vector<int> done(10);
  pool.run(10, [&](int i) { ++done[static_cast<std::size_t>(i)]; });
  EXPECT_EQ(done, std::vector<int>(10, 1));
  end.count_down();
}

TEST(ThreadPools, HelpTheOnlyFrameInProgress) {
  const ThreadPool::FrameInProgress frame;
  ThreadPool pool(2);
  std::latch begun(2);
  pool.run(2, [&](int) { begun.arrive_and_wait(); });
}

TEST(ThreadPools, LeaveAllToTheCallerIfFramesAreAsManyAsProcessors) {
  std::deque<ThreadPool::FrameInProgress> frames(std::max(2u, std::thread::hardware_concurrency()));
  ThreadPool pool(2);
  std::set<std::thread::id> threads;
  pool.run(100, [&](int) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(ThreadPools, WorkSideBySide) {
  std::vector<long> sums(8);
  {
    std::vector<std::jthread> streams;
    for (long& sum : sums) {
      streams.emplace_back([&sum] {
        ThreadPool pool(3);
        std::vector<long> own(3);
        for (int round = 0; round < 500; ++round) {
          pool.run(3, [&](int i) { own[static_cast<std::size_t>(i)] += round; });
        }
        sum = own[0] + own[1] + own[2];
      });
    }
  }
  EXPECT_EQ(sums, std::vector<long>(8, 3 * 499L * 500 / 2));
}

INSTANTIATE_TEST_SUITE_P(Threads, ThreadPoolTest, testing::Values(1, 2, 3, 8));

}  // namespace
}  // namespace cltrack
