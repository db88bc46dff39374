// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/thread_pool.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "core/interruption.h"

namespace cltrack {
namespace {

// Whether this thread is doing a task of a pool.
thread_local bool in_task = false;

// Spins until `ready`, for some 30 to 100 us at most: the next step of a frame usually comes sooner
// than a sleeping thread wakes up.
template <typename Ready>
void spin_until(const Ready& ready) {
  for (int i = 0; i < 2000 && !ready(); ++i) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
  }
}

}  // namespace

// Once the first constructor is done the destructor ends the workers, whatever throws here.
ThreadPool::ThreadPool(int threads, const Start& start) : ThreadPool() {
  workers_.reserve(static_cast<std::size_t>(std::max(threads - 1, 0)));
  try {
    while (this->threads() < threads) {
      const auto body = [this] { work(); };
      workers_.push_back(start ? start(body) : std::thread(body));
    }
  } catch (const std::system_error& error) {
    const std::string number = std::to_string(this->threads());
    shortage_ = "threads=" + std::to_string(threads) + ": the system allows only " + number + " (" +
                error.what() + "); frames take longer. Set threads=" + number +
                ", or allow more (ulimit -u, TasksMax)";
  }
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run(int count, const std::function<void(int)>& task) {
  if (workers_.empty() || count <= 1 || in_task) {
    for (int i = 0; i < count; ++i) task(i);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    task_ = &task;
    count_ = count;
    next_ = 0;
    failure_ = nullptr;
    busy_ = static_cast<int>(workers_.size());
    ++round_;
  }
  start_.notify_all();
  take_tasks();
  spin_until([this] { return busy_ == 0; });
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0; });
  task_ = nullptr;
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ThreadPool::run(int count, const std::function<void(int)>& task, const std::stop_token& stop) {
  throw_if_stopped(stop);
  run(count, [&](int i) {
    if (!stop.stop_requested()) task(i);
  });
  throw_if_stopped(stop);
}

void ThreadPool::work() {
  std::uint64_t seen = 0;
  while (true) {
    {
      spin_until([&] { return stop_ || round_ != seen; });
      std::unique_lock lock(mutex_);
      start_.wait(lock, [&] { return stop_ || round_ != seen; });
      if (stop_) return;
      seen = round_;
    }
    take_tasks();
    const std::lock_guard lock(mutex_);
    if (--busy_ == 0) done_.notify_one();
  }
}

void ThreadPool::take_tasks() {
  in_task = true;
  for (int i = next_++; i < count_; i = next_++) {
    try {
      (*task_)(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!failure_ || i < failed_task_) {
        failure_ = std::current_exception();
        failed_task_ = i;
      }
    }
  }
  in_task = false;
}

}  // namespace cltrack
