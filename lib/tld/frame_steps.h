// SPDX-License-Identifier: LGPL-2.1-or-later
// What happens on a frame, step by step, to all targets together: which device or thread does what,
// and in what order. Who the targets are and what is told of them is the tracker's.
//
// Threading: one thread at a time; threads of its own work inside of a call only.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "cltrack/frame.h"
#include "cltrack/tld_config.h"
#include "compute/placed_devices.h"
#include "core/thread_pool.h"
#include "tld/frame_planes.h"
#include "tld/stage_meters.h"
#include "tld/target.h"

namespace cltrack {

class FrameSteps {
 public:
  using Targets = std::span<Target* const>;

  // Throws what Device::open() throws.
  FrameSteps(const TldConfig& config, const std::vector<PlacedStage>& placement);

  // Moves stages, those of the targets included, between two frames or after one that has failed:
  // then it can begin again. Nothing that was learnt or seen is lost. If it throws, it can be
  // called again.
  void place(const std::vector<PlacedStage>& placement, Targets targets);

  // One frame, in this order. Whatever throws, place() or abandon() is next.
  // `motion`: the frame follows on from the one before. Each throws Error{interrupted} once a stop
  // is requested of the frame.
  void begin(const Frame& frame, Targets targets, bool motion);
  void find(Targets targets);  // flow, ferns, nearest neighbours
  void decide(Targets targets, bool learning);
  // A target whose first frame this is; see Target. `box` must lie inside the frame.
  std::unique_ptr<Target> start(const BoundingBox& box, std::uint64_t seed);
  void end();  // lets go of the frame's memory, which devices may read until then

  // Of the frame that has begun. Whether it follows on from another, and whether decide() has come
  // so far that it must not be called again: a frame that begins again goes on after it.
  bool has_motion() const { return motion_; }
  bool has_decided() const { return decided_; }

  // The next frame does not follow on from any.
  void forget_before() { has_before_ = false; }
  // Lets go of everything of the frame, and of the one before. Never throws.
  void abandon() noexcept;

  StageMeters& meters() { return meters_; }
  const StageMeters& meters() const { return meters_; }

 private:
  struct Work {  // one step of one target
    Target* target;
    int part;
  };
  struct Kept {  // of a frame, for when the flow moves
    Image picture;
    bool has_picture = false;  // or else the host's pyramid has one
    int largest_window = 0;
  };

  bool on_device(Stage stage) const { return !devices_.queue(stage).is_host(); }
  FramePlanes& now() { return planes_[current_]; }
  FramePlanes& before() { return planes_[1 - current_]; }
  Detector::Queues queues() const;
  // On the pool, until a stop is requested.
  void run(int tasks, const std::function<void(int)>& task);
  void make_planes(const Frame& frame, Targets targets);
  void give_up_planes() noexcept;
  bool wants_picture() const;
  void keep_picture();
  void keep_picture_before();
  void rebuild_pyramid_before();
  void search(Targets targets);
  void match(Targets targets);
  void refine(Targets targets);
  void teach(Targets targets);

  TldConfig config_;
  PlacedDevices devices_;
  StageMeters meters_{devices_};
  ThreadPool pool_;
  bool keeps_pictures_;                // some stage may be moved at any time
  std::array<FramePlanes, 2> planes_;  // the frame before and this one, in turn
  std::array<Kept, 2> kept_;           // of the same frames
  std::size_t current_ = 0;
  bool has_before_ = false;  // the planes of the frame before are of use
  bool motion_ = false;
  bool decided_ = false;
  std::stop_token stop_;  // of the frame that has begun
  std::vector<Work> work_;
};

}  // namespace cltrack
