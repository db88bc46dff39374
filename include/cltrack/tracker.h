// SPDX-License-Identifier: LGPL-2.1-or-later
// The interface that every tracking algorithm has: targets are added as boxes, frames go in, tracks
// come out.
//
// Threading: one thread at a time may call a tracker; different trackers share nothing. A tracker
// may use threads of its own inside a call, and has none running between calls.
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

  // Adds a target and returns its id. `box` is where the target is on the frame that the next call
  // of process() brings; the part outside of that frame is cut off. If too little of it is left
  // then, the target is reported as lost, forever, and the reason logged: check with clip_target()
  // first if the frame size is known.
  // `label` may be any bytes: it is handed on as it is.
  // Throws Error{invalid_argument} if the box is not finite or a side is under kMinimumBoxSide, or
  // if there are as many targets already as the tracker's config allows.
  virtual std::uint64_t add(const BoundingBox& box, std::string_view label = {}) = 0;

  // Forgets a target. Returns false if there is none of that id.
  virtual bool remove(std::uint64_t id) = 0;

  // Forgets all targets and all that was seen: the next frame is the first, the next id is 1.
  virtual void reset() = 0;

  // With false, models stay as they are; tracking and re-detection go on. Initially true.
  virtual void set_learning(bool learning) = 0;

  // Follows all targets into `frame`. The tracks, in the order of their ids, stay valid until the
  // next call of any member. A frame of another size than the one before is taken as the same
  // scene, resized: boxes and models are carried over by the ratio of the sizes.
  // Throws Error{invalid_argument} if the frame is empty, and Error{interrupted} if a stop was
  // requested of the frame before all was done. Then this frame is no longer of use; targets that
  // were new wait for the next one, which does not follow on from any, and what was learnt of the
  // others stays.
  virtual std::span<const Track> process(const Frame& frame) = 0;

  virtual TrackerStats stats() const = 0;

  // What users should know and what did not stop the tracker, such as a device that failed while
  // another one could take its place; each is told once.
  virtual std::vector<std::string> take_warnings() { return {}; }
};

}  // namespace cltrack
