// SPDX-License-Identifier: LGPL-2.1-or-later
// A few threads that work off numbered tasks. What a task does depends on its number alone, never
// on the thread or the order, so that results are the same with any number of threads.
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

  // Calls task(0) ... task(count - 1), started in this order, and returns when all are done. Throws
  // what the task with the lowest number threw, if any did. From within a task, the thread that
  // calls does them all: the others have tasks of the outer run() to do.
  void run(int count, const std::function<void(int)>& task);

  // The same, but from a request to stop on no further task begins, and Error{interrupted} is
  // thrown.
  void run(int count, const std::function<void(int)>& task, const std::stop_token& stop);

 private:
  void work();
  void take_tasks();

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  std::condition_variable done_;
  std::atomic<std::uint64_t> round_ =
      0;  // changed under mutex_, as are the other atomics but next_
  std::atomic<int> busy_ = 0;
  std::atomic<bool> stop_ = false;
  const std::function<void(int)>* task_ = nullptr;
  int count_ = 0;
  int failed_task_ = 0;
  std::exception_ptr failure_;
  std::atomic<int> next_ = 0;
};

}  // namespace cltrack
