// SPDX-License-Identifier: LGPL-2.1-or-later
// Confidence and state of every target over time, in parts of as many frames each: the longer the
// video, the more frames a part has.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "box_writer.h"

namespace track_video {

// Of one target.
struct PartTrack {
  std::uint32_t tracking = 0;  // frames
  std::uint32_t uncertain = 0;
  std::uint32_t lost = 0;
  // Of the frames with a box; lowest > highest if there are none.
  float lowest = 1;
  float highest = 0;
  double sum = 0;
};

struct Part {
  std::uint64_t frame = 0;  // the first one
  double seconds = -1;      // its time; below 0: it has none
  std::vector<PartTrack> tracks;
};

class Timeline {
 public:
  // Never more parts than this: an even number, and fewer than the plot is wide in pixels.
  static constexpr std::size_t kMostParts = 900;

  // The next frame: a row for each target, the same targets every time.
  void add(std::span<const Row> rows);

  const std::vector<Part>& parts() const { return parts_; }
  std::uint64_t frames() const { return frames_; }

 private:
  void merge_pairs();

  std::vector<Part> parts_;
  std::uint64_t part_frames_ = 1;
  std::uint64_t frames_ = 0;
};

}  // namespace track_video
