// SPDX-License-Identifier: LGPL-2.1-or-later
// `auto`: finds the fastest placement by trials on consecutive frames.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// Finds the fastest placement by trying placements on consecutive frames. Its input is device
// numbers and times, so that the same times give the same choice.
//
// It tries, in this order: the initial placement; for each device, all stages on it, single stages,
// and groups that the tracker names; combinations of the best of these; and the closest ones once
// more, in turns, because the content of the video changes during the trials.
class PlacementTrials {
 public:
  // The device of each stage: 0 is the host, others are the numbers given to offer().
  using Places = std::vector<int>;
  using Groups = std::vector<std::vector<std::size_t>>;  // of stages

  // A trial's first frames allocate buffers; they count only if they are far too slow.
  static constexpr std::size_t kWarmFrames = 2;
  static constexpr int kFrames = 5;
  static constexpr int kFinalFrames = 9;
  // A trial ends early if all its frames except the first one, and at least two, took this many
  // times as long as those of the best placement.
  static constexpr double kHopeless = 3;
  // Placements up to this ratio to the best time are tried again.
  static constexpr double kClose = 1.2;
  static constexpr std::size_t kMostFinalists = 4;
  // A device is chosen only if it is faster than the host by this factor.
  static constexpr double kWorthwhile = 1.05;
  // This many consecutive frames with another load restart the trials, up to this many rounds.
  static constexpr int kOtherLoad = 15;
  static constexpr int kMostRounds = 4;

  struct Result {
    Places places;
    double ms = 0;  // median of a frame
    bool ended_early = false;
  };

  // One entry for each stage. All begin on the host; those that are not `movable` stay where they
  // are and count as on the host.
  PlacementTrials(const std::vector<bool>& movable, const Groups& groups);

  // Adds a device to the trials.
  void offer(int device);
  // Removes a device and the results of placements that use it.
  void withdraw(int device);
  // Starts another round, up to kMostRounds: for when frames change, in size for example.
  void restart();

  // The placement for the next frame.
  const Places& next() const { return current_; }
  // The time of that frame. `load`: number of targets; frames with another load than the first one
  // of the round are ignored.
  void add(double ms, int load);

  // Whether trials go on.
  bool is_busy() const { return trying_; }
  // Whether a choice has been made: then next() does not change.
  bool has_chosen() const { return !trying_ && chosen_; }
  int rounds() const { return rounds_; }

  // The results of this round, one for each placement.
  const std::vector<Result>& results() const { return results_; }
  std::optional<double> time_of(const Places& places) const;
  // The fastest placement with the stage on another device than in next().
  std::optional<Result> best_elsewhere(std::size_t stage) const;

 private:
  void start_round();
  void queue_groups(int device);
  void queue(const Places& places);
  void next_trial();
  void finish_trial(bool ended_early);
  bool queue_mixes();
  bool queue_finals();
  void choose();
  const Result* best() const;
  bool uses(const Places& places, int device) const;

  std::vector<bool> movable_;
  Groups groups_;  // all stages, each stage, and the named groups
  Places start_;
  std::vector<int> devices_;
  Places current_;
  std::deque<Places> queue_;
  std::vector<Result> results_;
  std::vector<Result> finals_;
  std::vector<double> times_;  // of the present trial
  bool trying_ = false;
  bool in_finals_ = false;
  bool chosen_ = false;
  int rounds_ = 0;
  int mixes_ = 0;
  std::optional<int> load_;
  int other_load_ = 0;
};

// Implements `auto` for one tracker: after some frames, devices are prepared in the background,
// placements are tried on the next frames, and the fastest one is kept. If a device fails, `auto`
// moves its stages to others.
//
// Threading: one thread at a time.
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
  // After a typical frame that was processed at placement().
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
