// SPDX-License-Identifier: LGPL-2.1-or-later
// The interface that every tracking algorithm has: targets are added, frames go in, tracks come
// out.
//
// Threading: add(), move(), remove() and clear() may be called by any thread at any time, process()
// on another one included; they do not wait for it. All else: one thread at a time. Different
// trackers share nothing. A tracker may use threads of its own inside a call, and has none running
// between calls.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"
#include "cltrack/frame.h"
#include "cltrack/seed.h"
#include "cltrack/track.h"

namespace cltrack {

// What one stage of a tracker costs. A call is all that the stage does for one frame and all of its
// targets. Times are those of the host's threads, added up: on a device, queueing the work and
// waiting for it. Median and p99 are over the latest calls on the present device.
struct StageStats {
  std::string name;    // "planes", "flow", "ferns", "nn", "learn", "start"
  std::string device;  // the spec of where it runs now: "host" or "0.0"; several: "host, 0.0"
  std::uint64_t calls = 0;
  double total_ms = 0;
  double median_ms = 0;
  double p99_ms = 0;
  std::uint64_t bytes_up = 0;    // copied from the host to devices
  std::uint64_t bytes_down = 0;  // copied from devices to the host
  std::uint64_t waits = 0;       // times that the host stood still until a device was done
};

// Size of what has been learnt about one target.
struct TargetStats {
  std::uint64_t id = 0;
  std::uint64_t windows = 0;           // scan windows evaluated per frame
  std::uint64_t positive_patches = 0;  // in the object model
  std::uint64_t negative_patches = 0;
};

struct TrackerStats {
  std::uint64_t frames = 0;  // processed since reset()
  std::vector<StageStats> stages;
  std::vector<TargetStats> targets;
};

// The smallest side, in pixels, of a box that can be tracked.
inline constexpr float kMinimumBoxSide = 8.0f;

// Returns the part of `box` that lies inside a frame of width x height pixels.
// Throws Error{invalid_argument} if `box` is not finite, is empty, or has a side under
// kMinimumBoxSide pixels inside the frame. The message names the box and the frame.
CLTRACK_API BoundingBox clip_target(const BoundingBox& box, int width, int height);

// The most that a config may allow of targets, of the trackers whose work grows with each.
inline constexpr int kMostTargets = 4096;

class CLTRACK_API Tracker {
 public:
  virtual ~Tracker() = default;

  // Each of the next four acts at the beginning of the next call of process(); one that has begun
  // goes on as if nothing had been said. The ids that they know and return are right at once: what
  // one thread has added, any thread may move or remove.

  // Adds a target and returns its id.
  // If the box lies too far outside of the frame that comes, or nothing can be learnt of what it
  // shows, the target is reported as lost, unless it is moved, and the reason is logged or one of
  // take_warnings(): check with clip_target() first if the frame size is known.
  // `label` may be any bytes: it is handed on as it is.
  // Throws Error{invalid_argument} if the tracker takes no seeds of this kind, if a box is not
  // finite or a side is under kMinimumBoxSide, for what the tracker says of other seeds, and if
  // there are as many targets already as its config allows.
  virtual std::uint64_t add(const Seed& seed, std::string_view label = {}) = 0;
  // The same with the box {x, y, width, height}.
  std::uint64_t add(const BoundingBox& box, std::string_view label = {}) {
    return add(Seed(box), label);
  }

  // Says that a target is at `box` on the frame that the next call of process() brings, and keeps
  // what was learnt of it, its id and its age. Returns false if there is none of that id.
  // The part outside of that frame is cut off; if too little is left, the target goes on as if it
  // had not been moved, and the reason is logged or one of take_warnings(). A target of which
  // nothing could be learnt so far begins at `box`.
  // Throws Error{invalid_argument} if the box is not finite or a side is under kMinimumBoxSide, and
  // if the tracker, as it is configured, looks for targets without regard to where they were.
  virtual bool move(std::uint64_t id, const BoundingBox& box) = 0;

  // Forgets a target. Returns false if there is none of that id.
  virtual bool remove(std::uint64_t id) = 0;

  // Forgets all targets. Their ids are not used again.
  virtual void clear() = 0;

  // Forgets all targets and all that was seen: the next frame is the first, the next id is 1.
  virtual void reset() = 0;

  // With false, models stay as they are; tracking and re-detection go on. Initially true.
  virtual void set_learning(bool learning) = 0;

  // Follows all targets into `frame`. The tracks, in the order of their ids, stay valid until the
  // next call of process() or reset(). A frame of another size than the one before is taken as the
  // same scene, resized: boxes and models are carried over by the ratio of the sizes.
  // Throws Error{invalid_argument} if the frame is empty, and Error{interrupted} if a stop was
  // requested of the frame before all was done. Then this frame is no longer of use; targets that
  // were new wait for the next one, which does not follow on from any, and what was learnt of the
  // others stays.
  virtual std::span<const Track> process(const Frame& frame) = 0;

  // What the frames since reset() have cost, and what is known of the targets.
  virtual TrackerStats stats() const = 0;

  // What users should know and what did not stop the tracker, such as a device that failed while
  // another one could take its place; each is told once.
  virtual std::vector<std::string> take_warnings() { return {}; }
};

}  // namespace cltrack
