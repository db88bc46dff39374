// SPDX-License-Identifier: LGPL-2.1-or-later
// Other forms of a sequence that show the same to whoever looks at it: other noise, light, edges,
// frames or compression. A figure that differs between them hangs on single pixels.
#pragma once

#include <gst/video/video.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "cltrack/bounding_box.h"

namespace cltrack::accuracy {

inline constexpr const char* kGivenVariant = "given";

// A camera that moves: the picture is a window of about three quarters of the given sides, which
// swings over the given picture, across and more slowly down.
struct Pan {
  double speed = 0;        // sides of the first box a frame, at most; 0: the picture is all of it
  BoundingBox first = {};  // around which it begins: the first box, in the given picture
};

// What is changed of a sequence; by default nothing. All of it is deterministic.
struct Variant {
  std::string name = kGivenVariant;
  int noise = 0;            // added to each sample, up and down by so many grey levels at most
  double contrast = 1;      // luma's factor, about the middle grey
  double brightness = 0;    // added to luma, as a share of its range
  int shift = 0;            // of the picture, pixels to the right and down; edges are repeated
  bool mirrored = false;    // left is right
  Pan pan = {};             // which part of the given picture is shown
  std::size_t step = 1;     // every step-th frame is left
  double first_moved = 0;   // of the first box to the right and down, as a share of its sides
  double first_scaled = 1;  // its factor, about its centre
  std::string codec = {};   // elements of GStreamer that encode and decode the frames; empty: none
};

// The part of a given picture of that size that is shown of a frame. `index`: from 0, of the given
// frames.
BoundingBox shown_part(const Pan& pan, int width, int height, std::uint64_t index);

// Changes noise, light and geometry of a frame that is mapped for writing, with 8 bits a sample.
// `index`: of the frame, from 0, so that each has a noise of its own.
void change_picture(GstVideoFrame& frame, const Variant& variant, std::uint64_t index);

}  // namespace cltrack::accuracy
