// SPDX-License-Identifier: LGPL-2.1-or-later
// A thread pool for numbered tasks. A task may depend on its number only, not on its thread or the
// order, so that results are the same with any number of threads.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

namespace cltrack {

class ThreadPool {
 public:
  // `threads` counts the caller of run() as one.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls task(0) ... task(count - 1), started in this order, and returns when all are done. If
  // tasks throw, rethrows the exception of the lowest number. Within a task, the calling thread
  // runs all tasks itself, because the others are busy with the outer run().
  void run(int count, const std::function<void(int)>& task);

  // The same; after a stop request no further task begins, and Error{interrupted} is thrown.
  void run(int count, const std::function<void(int)>& task, const std::stop_token& stop);

 private:
  void work();
  void take_tasks();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  std::atomic<std::uint64_t> round_ =
      0;  // mutex_ is held to change it, and the other atomics except next_
  std::atomic<int> busy_ = 0;
  std::atomic<bool> stop_ = false;
  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0;
  int failed_task_ = 0;
  std::exception_ptr failure_;
  std::atomic<int> next_ = 0;
};

}  // namespace cltrack
