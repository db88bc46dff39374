// SPDX-License-Identifier: LGPL-2.1-or-later
// Estimators of motion carry boxes from one frame to the next: the tracking in "tracking, learning,
// detection".
//
// A frame goes through begin(), estimate(), collect(), learn() and end(). Between two frames,
// start() and remove() say which targets there are, and place() moves the work to another device.
// Methods that need none of a call leave it empty.
//
// Threading: one thread at a time, the one that uses the queues. On the host, work is done on the
// queue's threads.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/frame.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "ops/color/color_sums.h"

namespace cltrack {

struct MotionTarget {
  std::uint64_t id = 0;
  // Pixels. Of begin() and estimate(): on the frame before, unless the target was moved to there on
  // this one, for which nobody reads the motion. Of learn(): on this frame.
  BoundingBox box;
};

// How sure a correlation filter is; see filter_response.h.
struct FilterQuality {
  float filter = 0;      // the filter's response: 1 is perfect
  float filter_psr = 0;  // its peak-to-sidelobe ratio
  // The colours' response and its peak-to-sidelobe ratio; nothing if it has learnt colours of
  // another kind.
  std::optional<float> color = {};
  std::optional<float> color_psr = {};

  friend bool operator==(const FilterQuality&, const FilterQuality&) = default;
};

// Where a target went.
struct Motion {
  BoundingBox box;
  std::optional<FilterQuality> quality = {};  // of estimators that know

  friend bool operator==(const Motion&, const Motion&) = default;
};

class MotionEstimator {
 public:
  virtual ~MotionEstimator() = default;

  // Queues what is needed of a frame, whatever its targets are. `luma` is the picture of `frame`;
  // both stay valid until end(). `targets`: those that estimate() may get. Called again for the
  // same frame if a device fails on the way. Throws Error, as do the others.
  virtual void begin(const Frame& frame, const Plane& luma,
                     std::span<const MotionTarget> targets) = 0;

  // The frame that has begun, as it was borrowed: others that look at it need not copy it to a
  // device once more.
  virtual PictureSource picture() const = 0;

  // Queues the search for the targets on the frame; on a device, does not wait. The frame before
  // must have ended, and must be the one that this frame follows on from.
  virtual void estimate(std::span<const MotionTarget> targets) = 0;

  // Waits. Where each target of estimate() is, in that order; nothing where that is not known.
  // `host`: whose threads do what is left to do.
  virtual std::vector<std::optional<Motion>> collect(Queue& host) = 0;

  // These boxes are right: what they show may be learnt.
  virtual void learn(std::span<const MotionTarget> /*targets*/) {}

  // The frame is the one before from now on; its memory is let go.
  virtual void end() = 0;

  // A target whose first frame is the one that has begun.
  virtual void start(const MotionTarget& /*target*/) {}
  virtual void remove(std::uint64_t /*id*/) {}

  // Works on `queue` from now on. `follows_on`: the next frame will follow on from the one before,
  // which is therefore kept, even if the device that had it has failed.
  virtual void place(std::shared_ptr<Queue> queue, bool follows_on) = 0;

  // Lets go of all frames. Never throws.
  virtual void abandon() noexcept = 0;
  // And forgets all targets. Never throws.
  virtual void reset() noexcept { abandon(); }
};

}  // namespace cltrack
