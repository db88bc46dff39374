// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds places that look like the targets anywhere in the frame: a cascade of variance filter and
// ferns over all windows, then nearest neighbours on the best of them. Works for all targets of a
// frame at once, in the order scan(), compare(), collect(); the first two do not wait for devices.
//
// Threading: one thread at a time, the one that uses the queues.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/tld_config.h"
#include "compute/queue.h"
#include "ops/ferns/scan.h"
#include "ops/patches/extract_patches.h"
#include "ops/patches/nearest_patches.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"
#include "tld/target_bank.h"

namespace cltrack {

class Detector {
 public:
  explicit Detector(const TldConfig& config);

  // Luma and blurred are needed; on the host integrals, too, which a device makes here.
  void scan(Queue& queue, FramePlanes& planes, TargetBank& bank);
  void compare(Queue& queue, const FramePlanes& planes, TargetBank& bank);

  // The windows that were found, once they are on the host. Valid until the next scan.
  class Found {
   public:
    // The best windows that passed the ferns, best first, of the target at that place. Any thread.
    std::vector<Detection> of(std::size_t place, const Target& target) const;

   private:
    friend class Detector;
    std::size_t most_ = 0;
    std::span<const Candidate> windows_;
    std::span<const NearestPatches> nearest_;
    std::span<const ScanJob> jobs_;
  };
  // Once the queue of scan() has been waited for: whether it had room for all that it has found. If
  // not, both have to be called again.
  bool make_room() { return cltrack::make_room(candidates_, scan_scratch_); }
  // Waits, unless the queues of scan() and compare() have been waited for.
  Found collect(const TargetBank& bank) const;

  // Every window of this frame whose score is at least one posterior's worth: those that could
  // confuse the ferns soon.
  CandidateArrays& candidates() { return candidates_; }
  // How many of them each target has. Waits as collect().
  std::span<const std::uint32_t> candidates_of_targets() const { return best_.found.host_read(); }

 private:
  std::size_t most_;  // detections of a target
  ScanScratch scan_scratch_;
  CandidateArrays candidates_;
  BestWindows best_;
  PatchScratch patch_scratch_{kScratch};
  Array<Patch> patches_{kScratch};
  Array<float> similarities_{kScratch};
  Array<NearestPatches> nearest_;
};

}  // namespace cltrack
