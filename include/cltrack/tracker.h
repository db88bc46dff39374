// SPDX-License-Identifier: LGPL-2.1-or-later
// The interface of all tracking algorithms: targets are added, frames go in, tracks come out.
//
// Threading: add(), move(), remove() and clear() may be called by any thread at any time, also
// during process() on another thread, which they do not wait for. All else: one thread at a time.
// Different trackers are independent. Threads of a tracker work only during a call.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"
#include "cltrack/frame.h"
#include "cltrack/saved_model.h"
#include "cltrack/search_region.h"
#include "cltrack/seed.h"
#include "cltrack/track.h"

namespace cltrack {

// The cost of one stage of a tracker. A call is the stage's work for one frame and all targets.
// Times are the sum over the host's threads; for a device, that is queueing and waiting. Median and
// p99 are over the latest calls on the present device.
struct StageStats {
  std::string name;    // "planes", "motion", "ferns", "nn", "learn", "start"
  std::string device;  // the present device's spec: "host" or "0.0"; several: "host, 0.0"
  std::uint64_t calls = 0;
  double total_ms = 0;
  double median_ms = 0;
  double p99_ms = 0;
  std::uint64_t bytes_up = 0;    // copied from the host to devices
  std::uint64_t bytes_down = 0;  // copied from devices to the host
  std::uint64_t waits = 0;       // times that the host waited for a device
};

// The size of one target's model.
struct TargetStats {
  std::uint64_t id = 0;
  std::uint64_t windows = 0;           // of its scan grid
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
// kMinimumBoxSide pixels inside the frame. The message names the box and which of these it is.
CLTRACK_API BoundingBox clip_target(const BoundingBox& box, int width, int height);

// The largest max_targets of a config.
inline constexpr int kMostTargets = 4096;

class CLTRACK_API Tracker {
 public:
  virtual ~Tracker() = default;

  // The next four functions take effect at the beginning of the next process(), not in one that is
  // already running. Ids are valid at once: any thread may move or remove what another one has
  // added.

  // Adds a target and returns its id, see set_id_source().
  // If the box is too far outside of the next frame, or its content cannot be learnt, the target is
  // lost until it is moved; take_warnings() returns the reason. If the frame size
  // is known, check with clip_target() first.
  // `label` may be any bytes.
  // Throws Error{invalid_argument} if the tracker does not accept this kind of seed, if a box is
  // not finite or a side is under kMinimumBoxSide, if another seed is not valid for the tracker,
  // and if the config's limit of targets is reached.
  virtual std::uint64_t add(const Seed& seed, std::string_view label = {}) = 0;
  // The same with the box {x, y, width, height}.
  std::uint64_t add(const BoundingBox& box, std::string_view label = {}) {
    return add(Seed(box), label);
  }

  // Adds a target under an id of the caller's. Tracks do not depend on what it is.
  // Throws what the other add() throws, and Error{invalid_argument} if it is 0, or another target
  // has it.
  virtual void add(std::uint64_t id, const Seed& seed, std::string_view label = {}) = 0;
  void add(std::uint64_t id, const BoundingBox& box, std::string_view label = {}) {
    add(id, Seed(box), label);
  }

  // Where the ids come from that the tracker gives: those of targets that are added without one,
  // and of further objects of a colour (ColorConfig::blobs). Each must be new. Initially they count
  // on from the largest id there has been, the first one is 1. add() and process() call it, on any
  // thread that calls them, one at a time.
  virtual void set_id_source(std::function<std::uint64_t()> next) = 0;

  // Sets the box of a target on the next frame. It keeps its id and age, and what TLD's detector
  // has learnt; what follows it from there on is what `box` shows: the correlation filter begins
  // anew, and so does a template that was taken from a frame and is nothing like it. Returns false
  // if there is no target with that id. The box is clipped to the frame; if too little is left, the
  // move is ignored, and take_warnings() returns the reason. A target without a model so far is
  // initialised at `box`. Throws Error{invalid_argument} if the box is not finite or a side is
  // under kMinimumBoxSide, and if the tracker, with its config, does not use earlier positions.
  virtual bool move(std::uint64_t id, const BoundingBox& box) = 0;

  // Removes a target. Returns false if there is no target with that id.
  virtual bool remove(std::uint64_t id) = 0;

  // Removes all targets. The tracker gives none of their ids again.
  virtual void clear() = 0;

  // Restores the initial state: no targets, the next frame is the first one, and the next id is 1
  // unless there is a source of ids.
  virtual void reset() = 0;

  // The model of a target as learnt up to the latest frame, for add(), of any tracker with as many
  // ferns and pairs. It is TLD's detector; the correlation filter begins anew. Waits for the
  // device that learns, if there is one. Throws Error{invalid_argument} if there is no target with
  // that id, if nothing is learnt about it yet, and for other algorithms, which have no models.
  virtual SavedModel save(std::uint64_t id);

  // With false, models do not change; tracking and re-detection go on. Initially true.
  virtual void set_learning(bool learning) = 0;

  // Where TLD and template matching may find lost targets again. Targets that are followed from
  // frame to frame may leave the region; with TemplateSearch::frame none is followed, and all are
  // in it. Initially everywhere. Colours take no notice.
  virtual void set_search_region(const SearchRegion& /*region*/) {}

  // Tracks all targets in `frame`. The tracks, in the order of their ids, stay valid until the next
  // process() or reset(). If the frame size changes, the scene counts as resized: boxes and models
  // are scaled.
  // Throws Error{invalid_argument} if the frame is empty, and Error{interrupted} after a stop
  // request through Frame::stop. Then the frame is skipped: new targets are initialised on the next
  // one, which counts as a discontinuity, and models of the others stay.
  virtual std::span<const Track> process(const Frame& frame) = 0;

  // Statistics of the frames since reset(), and of the targets.
  virtual TrackerStats stats() const = 0;

  // Warnings for users, such as a failed device that was replaced; each is returned once.
  virtual std::vector<std::string> take_warnings() { return {}; }
};

}  // namespace cltrack
