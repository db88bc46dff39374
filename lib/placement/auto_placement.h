// SPDX-License-Identifier: LGPL-2.1-or-later
// What `auto` means for one tracker: once a stream has been at work for a while, the devices of the
// machine get ready in the background, placements are tried on frames as they come, and the fastest
// one is kept. And what a device that fails means: the stages that `auto` put there go elsewhere.
//
// Threading: one thread at a time.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker_devices.h"
#include "placement/placement_trials.h"

namespace cltrack {

class AutoPlacement {
 public:
  // So many frames are processed where they are before anything is opened: short runs are left
  // alone.
  static constexpr int kFramesBefore = 30;

  explicit AutoPlacement(std::shared_ptr<TrackerDevices> devices);

  // Some stage is left to `auto`.
  bool is_movable() const { return movable_; }

  // Where the next frame's stages run.
  const std::vector<PlacedStage>& placement() const { return placement_; }

  // Does the `work` of a frame of that size, which returns its load: how many targets there were to
  // follow, or 0 if it was unlike most others. `place` is called before if placement() has changed.
  // When a device fails that `auto` has chosen, both are called again: work() has to begin anew, or
  // to go on. Throws what they throw.
  void process(int width, int height, const std::function<void()>& place,
               const std::function<int()>& work);

  // The parts of that. Before a frame of that size. True: placement() has changed.
  bool update(int width, int height);
  // After a frame that was processed at placement() without anything extraordinary.
  void measured(double ms, int load);

  // A frame failed. True: the device at fault is left out, placement() has changed, and the frame
  // can be processed again. False: no stage that may move runs on a device, or the error is none of
  // a device.
  bool retreat(const Error& error);

  // What users have to be told, once.
  std::vector<std::string> take_warnings() { return std::exchange(warnings_, {}); }

 private:
  bool apply(const PlacementTrials::Places& places);
  void conclude();
  const std::string& name(const PlacementTrials::Places& places, std::size_t stage) const;
  std::string describe(const PlacementTrials::Places& places) const;
  std::string reason_of(std::size_t stage) const;

  std::shared_ptr<TrackerDevices> devices_;
  std::vector<PlacedStage> placement_;
  bool movable_;
  std::vector<DeviceInfo> numbered_;  // what the trials' numbers mean
  PlacementTrials trials_;
  std::size_t seen_ready_ = 0;
  bool concluded_ = false;  // the choice at hand has been told
  int frames_ = 0;
  int width_ = 0;
  int height_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace cltrack
