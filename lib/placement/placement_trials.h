// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the fastest placement by trying whole placements on frames as they come. It sees numbers of
// devices and times, never a device or a clock: the same times give the same choice.
//
// What is tried: all as it was to begin with; for every device that is offered, all stages on it,
// each of them, and groups that the tracker names; then what the best of these make together; then
// those that came close once more, one after the other, because what is in the picture changes
// while trials go on.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

namespace cltrack {

class PlacementTrials {
 public:
  // The device of each stage: 0 is the host, others as they are offered.
  using Places = std::vector<int>;
  using Groups = std::vector<std::vector<std::size_t>>;  // of stages

  // A trial's first frames make buffers; they count only if they are far too slow.
  static constexpr std::size_t kWarmFrames = 2;
  static constexpr int kFrames = 5;
  static constexpr int kFinalFrames = 9;
  // A trial ends as soon as two frames and all others, but for the first one, have taken so many
  // times as long as those of the best placement.
  static constexpr double kHopeless = 3;
  // Placements so close to the best are tried again.
  static constexpr double kClose = 1.2;
  static constexpr std::size_t kMostFinalists = 4;
  // A device that is not faster than the host by this is not worth its while.
  static constexpr double kWorthwhile = 1.05;
  // So many frames in a row with another load start everything again, so many times at most.
  static constexpr int kOtherLoad = 15;
  static constexpr int kMostRounds = 4;

  struct Result {
    Places places;
    double ms = 0;  // median of a frame
    bool ended_early = false;
  };

  // One entry for each stage. All begin on the host; those that are not `movable` stay where they
  // are, which counts as the host.
  PlacementTrials(const std::vector<bool>& movable, const Groups& groups);

  // The device may be tried from now on.
  void offer(int device);
  // It may not any more: what uses it is forgotten.
  void withdraw(int device);
  // Frames are different from now on, in size for example: everything is measured again, unless
  // that has happened too often.
  void restart();

  // Where the stages of the next frame run.
  const Places& next() const { return current_; }
  // What that frame took. `load`: how many targets were followed; frames with another load than the
  // first one of the round are not compared with it.
  void add(double ms, int load);

  // Something is left to be tried.
  bool is_busy() const { return trying_; }
  // A choice has been made: next() stays as it is.
  bool has_chosen() const { return !trying_ && chosen_; }
  int rounds() const { return rounds_; }

  // All that was measured in this round, each placement once.
  const std::vector<Result>& results() const { return results_; }
  std::optional<double> time_of(const Places& places) const;
  // The fastest placement that has the stage elsewhere than next() has it.
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
  Groups groups_;  // all, each, and those named
  Places start_;
  std::vector<int> devices_;
  Places current_;
  std::deque<Places> queue_;
  std::vector<Result> results_;
  std::vector<Result> finals_;
  std::vector<double> times_;  // of the trial that is under way
  bool trying_ = false;
  bool in_finals_ = false;
  bool chosen_ = false;
  int rounds_ = 0;
  int mixes_ = 0;
  std::optional<int> load_;
  int other_load_ = 0;
};

}  // namespace cltrack
