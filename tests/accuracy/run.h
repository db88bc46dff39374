// SPDX-License-Identifier: LGPL-2.1-or-later
// One tracker over one sequence with one seed, and the figures of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "frame_source.h"
#include "metrics.h"
#include "starts.h"
#include "states.h"
#include "trackers.h"

namespace cltrack::accuracy {

struct Observations {
  std::vector<Observation> frames;  // the first is the given box
  std::vector<double> ms;           // time of the tracker's call, one entry a frame
  TrackerStats stats;
};

// What is written about a run.
struct Row {
  std::string tracker;
  std::string sequence;
  std::string set;  // the folder that its folder lies in
  std::string variant = kGivenVariant;
  std::uint64_t seed = 0;
  std::string start = kGivenStart;      // name of the first box
  std::size_t first_frame = 0;          // where it is
  std::vector<std::string> attributes;  // of the sequence
  std::size_t frames = 0;
  Scores scores;
  StateCounts states;
  double ms_init = kUndefined;    // first frame
  double ms_mean = kUndefined;    // all frames, the first one too
  double ms_median = kUndefined;  // the frames after the first
  double ms_p99 = kUndefined;
  double total_s = 0;  // time in the tracker
  std::vector<StageStats> stages;
  std::string error;  // why there are no figures; empty if there are

  // " noise from left from frame 25", empty for the given variant and the given box on the first
  // frame: for lines about a run.
  std::string particulars() const;
  double fps_median() const { return 1000.0 / ms_median; }
  double fps_mean() const { return 1000.0 / ms_mean; }
};

// Which frames a tracker gets, and how much work it has for each: for experiments on late and
// missing frames. Times stay what they were.
struct Pace {
  std::vector<std::size_t> steps = {};  // frames to go on by, over and over; empty: 1
  std::vector<Effort> efforts = {};     // of the frames, over and over; empty: full

  // Of a sequence with so many frames, those that are kept.
  std::vector<std::size_t> kept(std::size_t frames) const;
};

// The ground truth of the frames that are kept, from the first one on.
Boxes kept_truth(const Sequence& sequence, std::size_t first_frame, const Pace& pace);

// Tracks a box through the footage, from the start's frame on. Only calls of the tracker are timed.
// `each_frame` is called after each frame. With `max_frames` it ends after that many.
Observations run_tracker(TrackerAdapter& tracker, const Footage& footage, const Start& start,
                         std::uint64_t seed, const std::function<void()>& each_frame = {},
                         std::size_t max_frames = 0, const Pace& pace = {});

// What the run is of; no figures.
Row row_of(const std::string& tracker, const Sequence& sequence, std::uint64_t seed,
           const Start& start);

// The figures of the frames that were kept, of those from start.frame on; frames beyond the ground
// truth, or ground truth beyond the frames, do not count.
Row make_row(const std::string& tracker, const Sequence& sequence, std::uint64_t seed,
             const Observations& observations, const Pace& pace = {},
             const Start& start = {kGivenStart, {}});

}  // namespace cltrack::accuracy
