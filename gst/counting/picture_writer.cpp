// SPDX-License-Identifier: LGPL-2.1-or-later
#include "counting/picture_writer.h"

#include <chrono>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

constexpr std::chrono::seconds kFlush{10};

}  // namespace

PictureWriter::PictureWriter(Write write) : write_(std::move(write)) {
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& error) {
    throw Error(ErrorCode::failed, std::string("no thread can be started that writes pictures (") +
                                       error.what() +
                                       "): allow more of them (ulimit -u, TasksMax)");
  }
}

void PictureWriter::drop(const char* reason) noexcept {
  ++counts_.dropped;
  try {
    if (!reasons_.insert(reason).second) return;
    warnings_.push_back(std::string("pictures of events are dropped: ") + reason +
                        ". Events are counted and told of all the same; stats says how many");
  } catch (const std::bad_alloc&) {
    // There is nothing to tell it with.
  }
}

bool PictureWriter::push(std::string name, std::shared_ptr<const Cutout> cutout) {
  {
    const std::lock_guard lock(mutex_);
    const std::size_t bytes = cutout->pixels.size();
    const bool is_full = waiting_.size() >= kMostWaiting || bytes_ + bytes > kMostBytes;
    if (is_full && !waiting_.empty()) {
      drop("there are more than can be written in time");
      return false;
    }
    bytes_ += bytes;
    waiting_.push_back({std::move(name), std::move(cutout)});
  }
  changed_.notify_all();
  return true;
}

PictureCounts PictureWriter::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

std::vector<std::string> PictureWriter::take_warnings() {
  const std::lock_guard lock(mutex_);
  return std::exchange(warnings_, {});
}

void PictureWriter::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) break;
    const Job job = std::move(waiting_.front());
    waiting_.pop_front();
    bytes_ -= job.cutout->pixels.size();
    lock.unlock();
    try {
      write_(job.name, *job.cutout);
      lock.lock();
      ++counts_.written;
    } catch (const std::exception& error) {
      lock.lock();
      drop(error.what());
    }
  }
  is_done_ = true;
  changed_.notify_all();
}

void PictureWriter::stop() {
  {
    std::unique_lock lock(mutex_);
    ends_ = true;
    changed_.notify_all();
    changed_.wait_for(lock, kFlush, [&] { return is_done_; });
    for (; !waiting_.empty(); waiting_.pop_front()) drop("stopped before they were written");
    bytes_ = 0;
  }
  if (thread_.joinable()) thread_.join();
}

}  // namespace cltrack::gst
