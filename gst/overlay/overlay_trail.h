// SPDX-License-Identifier: LGPL-2.1-or-later
// Trails: where tracks have been, and the strokes that show it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <span>
#include <vector>

#include "cltrack/track.h"
#include "metadata/track_meta.h"
#include "overlay/overlay_painter.h"

namespace cltrack::gst {

// Remembers where tracks have been, for elements that do not write it on buffers.
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

// Paints where a track has been as a line that fades towards its beginning.

// The pixels of a frame that the line through `points` covers; empty if there are fewer than two.
PixelRect trail_bounds(std::span<const TrackPoint> points, int line_width, int frame_width,
                       int frame_height);

// Rectangles that do not overlap, inside the frame, and hold all of the line, in no particular
// order: a long line leaves most of its bounds empty.
std::vector<PixelRect> trail_pieces(std::span<const TrackPoint> points, int line_width,
                                    int frame_width, int frame_height);

// A part of the line that is painted in one stroke.
struct TrailStroke {
  double fade = 1;  // of its opacity
  std::vector<TrackPoint> points;
};

// The strokes of the line, the oldest one first, without points that nobody would miss.
std::vector<TrailStroke> trail_strokes(std::span<const TrackPoint> points);

// The part of the line inside `piece`, which is not empty. The pattern of `style` is not looked at.
Raster paint_trail(std::span<const TrailStroke> strokes, const PixelRect& piece,
                   const OutlineStyle& style);

}  // namespace cltrack::gst
