// SPDX-License-Identifier: LGPL-2.1-or-later
// What the ops on windows of samples check.
#pragma once

#include <span>
#include <string>

#include "cltrack/error.h"
#include "ops/filter/sample_windows.h"

namespace cltrack {

[[noreturn]] inline void reject_windows(const char* op, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + what);
}

// Samples of a window of `side` x `side`. Throws Error{invalid_argument} unless it is 1 to
// kMostSampleSide.
inline std::size_t window_samples(const char* op, int side) {
  if (side < 1 || side > kMostSampleSide) {
    reject_windows(op, "windows of " + std::to_string(side) + " samples a side; allowed: 1 to " +
                           std::to_string(kMostSampleSide));
  }
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

// Throws Error{invalid_argument} unless the job's window and slot exist.
template <typename Job>
void check_window_and_slot(const char* op, const Job& job, std::size_t windows, std::size_t slots) {
  if (job.window < 0 || static_cast<std::size_t>(job.window) >= windows) {
    reject_windows(op, "window " + std::to_string(job.window) + " of " + std::to_string(windows));
  }
  if (job.slot < 0 || static_cast<std::size_t>(job.slot) >= slots) {
    reject_windows(op, "slot " + std::to_string(job.slot) + " of " + std::to_string(slots));
  }
}

}  // namespace cltrack
