// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture in BGR as a frame of the library.
#pragma once

#include <cltrack/cltrack.h>

#include <cstddef>
#include <cstdint>

namespace cltrack {

// `pixels` has to stay as long as the frame, and `luma`, in which its brightness is made.
inline Frame bgr_frame(const std::uint8_t* pixels, int width, int height, Image& luma) {
  Frame frame;
  frame.color.space = ColorSpace::rgb;
  frame.color.width = width;
  frame.color.height = height;
  for (std::size_t c = 0; c < 3; ++c) {
    frame.color.components[c] = {.data = pixels + 2 - c, .stride = 3 * width, .step = 3};
  }
  frame.luma = luma_of(frame.color, luma);
  return frame;
}

}  // namespace cltrack
