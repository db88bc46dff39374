// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes pictures on a thread of its own, for as long as it takes: whoever hands them in does not
// wait, and what there is no room for is dropped.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "pictures/cutout.h"

namespace cltrack::gst {

struct PictureCounts {
  std::uint64_t written = 0;
  std::uint64_t dropped = 0;  // the queue was full, or they could not be written
};

// Threading: any thread.
class PictureWriter {
 public:
  // That wait at most, and of bytes of pixels, but for one that always may wait.
  static constexpr std::size_t kMostWaiting = 64;
  static constexpr std::size_t kMostBytes = 64 << 20;

  // On the writer's thread. Throws Error with the reason if it cannot be written.
  using Write = std::function<void(const std::string& name, const Cutout& cutout)>;

  // Throws Error{failed} if no thread can be started.
  explicit PictureWriter(Write write);
  ~PictureWriter() { stop(); }
  PictureWriter(const PictureWriter&) = delete;
  PictureWriter& operator=(const PictureWriter&) = delete;

  // False if it is dropped.
  bool push(std::string name, std::shared_ptr<const Cutout> cutout);

  PictureCounts counts() const;
  // What went wrong since the last call; each reason once.
  std::vector<std::string> take_warnings();

  // Writes what waits for at most ten seconds, and drops the rest. Nothing may be pushed any more.
  void stop();

 private:
  struct Job {
    std::string name;
    std::shared_ptr<const Cutout> cutout;
  };

  void run();
  void drop(const char* reason) noexcept;  // with the mutex held

  const Write write_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> waiting_;
  std::size_t bytes_ = 0;  // of those that wait
  bool ends_ = false;      // when nothing waits any more
  bool is_done_ = false;   // the thread writes nothing more
  PictureCounts counts_;
  std::set<std::string> reasons_;
  std::vector<std::string> warnings_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace cltrack::gst
