// SPDX-License-Identifier: LGPL-2.1-or-later
// Implements `auto` for one tracker: after some frames, devices are prepared in the background,
// placements are tried on the next frames, and the fastest one is kept. If a device fails, `auto`
// moves its stages to others.
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
  // Frames before devices are opened: for short runs trials do not pay off.
  static constexpr int kFramesBefore = 30;

  explicit AutoPlacement(std::shared_ptr<TrackerDevices> devices);

  // Whether a stage is placed by `auto`.
  bool is_movable() const { return movable_; }

  // Where the next frame's stages run.
  const std::vector<PlacedStage>& placement() const { return placement_; }

  // Processes a frame of that size with `work`, which returns its load: the number of targets, or 0
  // for an unusual frame, which is not measured. Calls `place` before if placement() has changed.
  // If a device fails that `auto` has chosen, calls both again: work() must restart or continue.
  // Throws what they throw.
  void process(int width, int height, const std::function<void()>& place,
               const std::function<int()>& work);

  // The steps of process(). Before a frame of that size. Returns whether placement() has changed.
  bool update(int width, int height);
  // After a usual frame that was processed at placement().
  void measured(double ms, int load);

  // After a frame that failed. True: the failed device is excluded, placement() has changed, and
  // the frame can be processed again. False: the error is not a device's, or no stage that `auto`
  // has placed runs on a device.
  bool retreat(const Error& error);

  // Messages for users; each is returned once.
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
  std::vector<DeviceInfo> numbered_;  // devices by their numbers in trials_
  PlacementTrials trials_;
  std::size_t seen_ready_ = 0;
  bool concluded_ = false;  // the present choice has been reported
  int frames_ = 0;
  int width_ = 0;
  int height_ = 0;
  std::vector<std::string> warnings_;
};

}  // namespace cltrack
