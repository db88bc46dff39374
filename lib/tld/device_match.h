// SPDX-License-Identifier: LGPL-2.1-or-later
// A detector's comparison with the object model on an OpenCL device: what it keeps there from frame
// to frame.
//
// Threading: one thread at a time, the one that uses the queue.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "compute/queue.h"
#include "ops/patches/nearest_patches.h"
#include "ops/patches/patch.h"
#include "tld/frame_planes.h"
#include "tld/object_model.h"

namespace cltrack {

class DeviceMatch {
 public:
  // `longest_side`: of any box, pixels.
  DeviceMatch(std::shared_ptr<Queue> queue, float longest_side)
      : queue_(std::move(queue)), longest_side_(longest_side) {}

  // Queues the nearest patches of the boxes. Does not wait.
  void enqueue(FramePlanes& planes, std::span<const BoundingBox> boxes, const ObjectModel& model);
  // The same for the first count[0] boxes of an array that need not have come to the host.
  void enqueue(FramePlanes& planes, Array<BoundingBox>& boxes, Array<std::uint32_t>& count,
               const ObjectModel& model);

  // Of the boxes that were queued; waits.
  std::span<const NearestPatches> nearest() { return nearest_.host_read(); }

 private:
  std::shared_ptr<Queue> queue_;
  float longest_side_;
  // Of the model that the arrays are of; 0: none yet.
  std::uint64_t positives_version_ = 0, negatives_version_ = 0;
  Array<Patch> model_;  // the positives, then the negatives
  Array<PatchJob> job_;
  Array<BoundingBox> boxes_;
  Array<std::uint32_t> count_;
  PatchScratch scratch_;
  Array<Patch> patches_;
  Array<float> similarities_;
  Array<NearestPatches> nearest_;
};

}  // namespace cltrack
