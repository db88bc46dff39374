// SPDX-License-Identifier: LGPL-2.1-or-later
// Remembers where tracks have been, for elements that do not write it on buffers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>

#include "metadata/track_meta.h"

namespace cltrack::gst {

class TrailMemory {
 public:
  // Takes the regions of one frame, and gives those that have no trail their own: the centres of
  // their boxes on up to `length` frames, this one included. 0: none, and all is forgotten. A
  // region without an id above 0 must be a track, with a state.
  //
  // What is not there for kForgetAfter frames is forgotten. There are at most kMostTrails: those
  // that have not been there for longest make way for new ones.
  void update(std::span<TrackRegion> regions, std::size_t length);

  // That track was removed.
  void forget(const TrackKey& key) { trails_.erase(key); }

  // The picture's size changed by these factors.
  void rescale(float x_factor, float y_factor);

  void reset() { trails_.clear(); }

  static constexpr std::uint64_t kForgetAfter = 25;
  static constexpr std::size_t kMostTrails = 256;

 private:
  struct Trail {
    std::deque<TrackPoint> points;
    std::uint64_t seen_frame = 0;  // value of frame_
  };

  // Null if there is no room.
  Trail* find_or_add(const TrackKey& key);

  std::map<TrackKey, Trail> trails_;
  std::uint64_t frame_ = 0;
};

}  // namespace cltrack::gst
