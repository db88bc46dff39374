// SPDX-License-Identifier: LGPL-2.1-or-later
// Notices that nothing goes on.
#pragma once

#include <chrono>
#include <cstdint>

namespace track_video {

class StallWatch {
 public:
  using Clock = std::chrono::steady_clock;

  StallWatch(Clock::duration patience, Clock::time_point now) : patience_(patience), since_(now) {}

  // To be told from time to time how many frames there have been. Returns true when these have not
  // become more for as long as `patience`; once, until there are more.
  bool observe(std::uint64_t frames, Clock::time_point now) {
    if (frames != frames_) {
      frames_ = frames;
      since_ = now;
      told_ = false;
    }
    if (told_ || now - since_ < patience_) return false;
    told_ = true;
    return true;
  }

 private:
  Clock::duration patience_;
  Clock::time_point since_;
  std::uint64_t frames_ = 0;
  bool told_ = false;
};

}  // namespace track_video
