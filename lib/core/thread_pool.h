// SPDX-License-Identifier: LGPL-2.1-or-later
// Threads for numbered tasks. A task may depend on its number only, not on its thread or the order,
// so that results are the same with any number of threads.
//
// All pools of the process share their workers: with many streams there are no more threads than
// processors, and who calls run() waits for nobody who is busy with another stream. The more frames
// are in progress, the fewer workers come; none if these frames' own threads are as many as the
// processors. Waking a worker takes longer than most tasks.
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>

namespace cltrack {

class ThreadPool {
 public:
  // Makes a worker's thread. Tests have ones that fail.
  using Start = std::function<std::thread(std::function<void()>)>;

  // Stands for a frame of some stream that a thread of the process has begun and not ended.
  class FrameInProgress {
   public:
    FrameInProgress();
    ~FrameInProgress();
    FrameInProgress(const FrameInProgress&) = delete;
    FrameInProgress& operator=(const FrameInProgress&) = delete;
  };

  // `threads` counts the caller of run() as one. The others are workers: as many as all pools ask
  // for, but no more than there are processors, unless one pool alone asks for more. Where the
  // system allows no more threads the pool has fewer; see shortage(). With `start` the workers are
  // the pool's own.
  explicit ThreadPool(int threads, const Start& start = {});
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return threads_; }
  // Why there are fewer threads than requested; empty if there are not.
  const std::string& shortage() const { return shortage_; }

  // Calls task(0) ... task(count - 1), started in this order, and returns when all are done. If
  // tasks throw, rethrows the exception of the lowest number. Within a task, the calling thread
  // runs all tasks itself, because the others are busy with the outer run(). Tasks do not wait for
  // each other: workers come when they are free.
  void run(int count, const std::function<void(int)>& task);

  // The same; after a stop request no further task begins, and Error{interrupted} is thrown.
  void run(int count, const std::function<void(int)>& task, const std::stop_token& stop);

 private:
  class Workers;

  int threads_ = 1;
  std::shared_ptr<Workers> workers_;  // null if there are none
  std::string shortage_;
};

}  // namespace cltrack
