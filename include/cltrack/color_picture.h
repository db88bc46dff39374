// SPDX-License-Identifier: LGPL-2.1-or-later
// A colour picture in memory: three 8-bit components, each with its own strides and resolution.
// Describes packed and planar RGB and YUV formats, so that no conversion is needed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

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

}  // namespace cltrack
