// SPDX-License-Identifier: LGPL-2.1-or-later
// A colour picture in memory: three 8-bit components, each with its own strides and resolution.
// Describes packed and planar RGB and YUV formats, so that no conversion is needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "cltrack/export.h"
#include "cltrack/image_view.h"

namespace cltrack {

enum class ColorSpace {
  none,  // luma only
  rgb,   // components are red, green, blue
  yuv,   // components are Y, Cb, Cr
};

// Component value of the pixel (x, y): data[(y >> shift_y) * stride + (x >> shift_x) * step].
struct ColorComponent {
  const std::uint8_t* data = nullptr;  // not owned
  std::ptrdiff_t stride = 0;           // bytes from one row of the component to the next
  int step = 1;                        // bytes from one value to the next
  int shift_x = 0;                     // subsampling: 1 if two pixels share a value, 2: four
  int shift_y = 0;
};

// YUV encoding: weights of red and blue in Y, and the range: 0..255, or 16..235 (Y) and 16..240
// (Cb, Cr). Defaults: BT.601.
struct YuvEncoding {
  double red = 0.299;
  double blue = 0.114;
  bool full_range = false;

  friend bool operator==(const YuvEncoding&, const YuvEncoding&) = default;
};

struct ColorPicture {
  ColorSpace space = ColorSpace::none;
  YuvEncoding encoding;  // for yuv only
  int width = 0;         // pixels
  int height = 0;
  std::array<ColorComponent, 3> components;

  // No pixels, or no colours.
  bool empty() const { return space == ColorSpace::none || width <= 0 || height <= 0; }
};

// The brightness of a picture as one plane, for Frame::luma. Of YUV, and of luma alone (the first
// component of a picture without colours): the component itself where its values follow each other,
// which copies nothing, else a copy in `scratch`. RGB: 0.299 R + 0.587 G + 0.114 B, rounded, in
// `scratch`. The view is valid as long as both the picture's memory and `scratch` are.
// Throws Error{invalid_argument} if a component that is needed has no memory or a step under 1, if
// it is subsampled, or if the picture has no pixels.
CLTRACK_API ImageView luma_of(const ColorPicture& picture, Image& scratch);

}  // namespace cltrack
