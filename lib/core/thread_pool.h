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
#include <string>
#include <thread>
#include <vector>

namespace cltrack {

class ThreadPool {
 public:
  // Makes a worker's thread. Tests have ones that fail.
  using Start = std::function<std::thread(std::function<void()>)>;

  // `threads` counts the caller of run() as one. Where the system allows no more threads the pool
  // has fewer; see shortage().
  explicit ThreadPool(int threads, const Start& start = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }
  // Why there are fewer threads than were asked for; empty if there are not.
  const std::string& shortage() const { return shortage_; }

  // Calls task(0) ... task(count - 1), started in this order, and returns when all are done. If
  // tasks throw, rethrows the exception of the lowest number. Within a task, the calling thread
  // runs all tasks itself, because the others are busy with the outer run().
  void run(int count, const std::function<void(int)>& task);

  // The same; after a stop request no further task begins, and Error{interrupted} is thrown.
  void run(int count, const std::function<void(int)>& task, const std::stop_token& stop);

 private:
  ThreadPool() = default;
  void work();
  void take_tasks();

  std::vector<std::thread> workers_;
  std::string shortage_;
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
