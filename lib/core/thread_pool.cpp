// SPDX-License-Identifier: LGPL-2.1-or-later
#include "core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

#include "core/interruption.h"

namespace cltrack {
namespace {

// Whether this thread is doing a task of a pool.
thread_local bool in_task = false;

std::atomic<int> frames_in_progress = 0;

int processors() {
  static const int count = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return count;
}

// The workers that one run() may have.
int free_workers() {
  const int frames = frames_in_progress;
  return frames <= 1 ? std::numeric_limits<int>::max() : std::max(0, processors() - frames);
}

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

// The tasks of one call of run().
struct Job {
  Job(int tasks, const std::function<void(int)>& each, int workers)
      : count(tasks), task(each), room(workers) {}

  const int count;
  const std::function<void(int)>& task;
  std::atomic<int> next = 0;
  // Workers::mutex_ is held to change what follows.
  int room;  // so many workers may join
  std::atomic<int> helpers = 0;
  std::condition_variable done;
  int failed_task = 0;
  std::exception_ptr failure;
};

}  // namespace

class ThreadPool::Workers {
 public:
  static std::shared_ptr<Workers> of_process();

  ~Workers();

  // Makes room for a pool that asks for so many. Returns how many there are for it, and why there
  // are no more.
  std::pair<int, std::string> join(int requested, const Start& start);
  void leave(int requested);

  void run(int count, const std::function<void(int)>& task, int most_workers);

 private:
  void work();
  void take_tasks(Job& job);

  std::mutex mutex_;
  std::vector<std::thread> threads_;
  int requested_ = 0;  // by all pools
  std::condition_variable begin_;
  std::deque<Job*> jobs_;          // those with room
  std::atomic<bool> any_ = false;  // whether there is one
  std::atomic<bool> stop_ = false;
};

// They end with the last pool, so that none is left when a library is unloaded.
std::shared_ptr<ThreadPool::Workers> ThreadPool::Workers::of_process() {
  static std::mutex mutex;
  static std::weak_ptr<Workers> known;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Workers> workers = known.lock();
  if (workers == nullptr) known = workers = std::make_shared<Workers>();
  return workers;
}

ThreadPool::Workers::~Workers() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

std::pair<int, std::string> ThreadPool::Workers::join(int requested, const Start& start) {
  const std::lock_guard lock(mutex_);
  const int wanted = std::max(requested, std::min(requested_ + requested, processors() - 1));
  const auto count = [this] { return static_cast<int>(threads_.size()); };
  std::string shortage;
  threads_.reserve(static_cast<std::size_t>(wanted));
  try {
    while (count() < wanted) {
      const auto body = [this] { work(); };
      threads_.push_back(start ? start(body) : std::thread(body));
    }
  } catch (const std::system_error& error) {
    shortage = error.what();
  }
  requested_ += requested;
  return {std::min(count(), requested), shortage};
}

void ThreadPool::Workers::leave(int requested) {
  const std::lock_guard lock(mutex_);
  requested_ -= requested;
}

void ThreadPool::Workers::run(int count, const std::function<void(int)>& task, int most_workers) {
  const int workers = std::min(most_workers, count - 1);
  Job job(count, task, workers);
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
    any_ = true;
  }
  for (int i = 0; i < workers; ++i) begin_.notify_one();
  take_tasks(job);
  std::unique_lock lock(mutex_);
  if (job.room > 0) {
    std::erase(jobs_, &job);
    job.room = 0;
    any_ = !jobs_.empty();
  }
  lock.unlock();
  spin_until([&] { return job.helpers == 0; });
  lock.lock();
  job.done.wait(lock, [&] { return job.helpers == 0; });
  if (job.failure) std::rethrow_exception(std::move(job.failure));
}

void ThreadPool::Workers::work() {
  while (true) {
    spin_until([this] { return any_ || stop_; });
    std::unique_lock lock(mutex_);
    begin_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_) return;
    Job& job = *jobs_.front();
    ++job.helpers;
    if (--job.room == 0) {
      jobs_.pop_front();
      any_ = !jobs_.empty();
    }
    lock.unlock();
    take_tasks(job);
    lock.lock();
    if (--job.helpers == 0) job.done.notify_one();
  }
}

void ThreadPool::Workers::take_tasks(Job& job) {
  in_task = true;
  for (int i = job.next++; i < job.count; i = job.next++) {
    try {
      job.task(i);
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!job.failure || i < job.failed_task) {
        job.failure = std::current_exception();
        job.failed_task = i;
      }
    }
  }
  in_task = false;
}

ThreadPool::FrameInProgress::FrameInProgress() { ++frames_in_progress; }
ThreadPool::FrameInProgress::~FrameInProgress() { --frames_in_progress; }

ThreadPool::ThreadPool(int threads, const Start& start) {
  if (threads <= 1) return;
  workers_ = start ? std::make_shared<Workers>() : Workers::of_process();
  const auto [workers, why] = workers_->join(threads - 1, start);
  threads_ = workers + 1;
  if (threads_ == threads) return;
  const std::string number = std::to_string(threads_);
  shortage_ = "threads=" + std::to_string(threads) + ": the system allows only " + number + " (" +
              why + "); frames take longer. Set threads=" + number +
              ", or allow more (ulimit -u, TasksMax)";
  workers_->leave(threads - threads_);
}

ThreadPool::~ThreadPool() {
  if (workers_ != nullptr) workers_->leave(threads_ - 1);
}

void ThreadPool::run(int count, const std::function<void(int)>& task) {
  const int workers =
      threads_ == 1 || count <= 1 || in_task ? 0 : std::min(threads_ - 1, free_workers());
  if (workers == 0) {
    for (int i = 0; i < count; ++i) task(i);
  } else {
    workers_->run(count, task, workers);
  }
}

void ThreadPool::run(int count, const std::function<void(int)>& task, const std::stop_token& stop) {
  throw_if_stopped(stop);
  run(count, [&](int i) {
    if (!stop.stop_requested()) task(i);
  });
  throw_if_stopped(stop);
}

}  // namespace cltrack
