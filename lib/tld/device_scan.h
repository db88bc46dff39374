// SPDX-License-Identifier: LGPL-2.1-or-later
// A detector's scan on an OpenCL device: what it keeps there from frame to frame.
//
// Threading: one thread at a time, the one that uses the queue.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "compute/queue.h"
#include "ops/ferns/scan.h"
#include "ops/ferns/select_best.h"
#include "tld/frame_planes.h"

namespace cltrack {

class DeviceScan {
 public:
  explicit DeviceScan(std::shared_ptr<Queue> queue) : queue_(std::move(queue)) {}

  // Queues the scan of a frame whose planes are queued, and the choice of the `count` best among
  // the candidates. `count_candidates`: the host will want to know how many candidates there are.
  // Does not wait.
  void enqueue(FramePlanes& planes, ScanWindows& windows, FernTableArrays& tables,
               std::uint32_t minimum_score, std::size_t count, bool count_candidates);

  void flush() { queue_->flush(); }

  // Of the frame; only these come to the host by themselves. Wait.
  std::span<const Candidate> best_windows() {
    // The ones behind have no index, so that the count need not travel.
    const std::span<const Candidate> all = best_.windows.host_read();
    return {all.begin(), std::ranges::find(all, UINT32_MAX, &Candidate::window)};
  }

  // Where they are.
  BestWindows& best() { return best_; }
  CandidateArrays& candidates() { return candidates_; }

 private:
  std::shared_ptr<Queue> queue_;
  ScanScratch scratch_;
  CandidateArrays candidates_;
  BestWindows best_;
};

}  // namespace cltrack
