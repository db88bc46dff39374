// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture in colour as it lies in memory: three components of 8 bits, each with its own strides
// and resolution. Packed and planar, RGB and YUV formats alike are described by it, so nothing has
// to be converted.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace cltrack {

enum class ColorSpace {
  none,  // brightness alone: there is no colour to tell
  rgb,   // components are red, green, blue
  yuv,   // components are Y, Cb, Cr
};

// Component value of the pixel (x, y): data[(y >> shift_y) * stride + (x >> shift_x) * step].
struct ColorComponent {
  const std::uint8_t* data = nullptr;  // not owned
  std::ptrdiff_t stride = 0;           // bytes from one row of the component to the next
  int step = 1;                        // bytes from one value to the next
  int shift_x = 0;                     // 1 where two neighbouring pixels share a value, 2: four
  int shift_y = 0;
};

// How YUV stands for RGB: weights of red and blue in Y, and whether all 256 values are used or
// 16..235 (Y) and 16..240 (Cb, Cr). The defaults are those of BT.601.
struct YuvEncoding {
  double red = 0.299;
  double blue = 0.114;
  bool full_range = false;

  friend bool operator==(const YuvEncoding&, const YuvEncoding&) = default;
};

struct ColorPicture {
  ColorSpace space = ColorSpace::none;
  YuvEncoding encoding;  // of interest to yuv
  int width = 0;         // pixels
  int height = 0;
  std::array<ColorComponent, 3> components;

  // No pixels, or no colours.
  bool empty() const { return space == ColorSpace::none || width <= 0 || height <= 0; }
};

}  // namespace cltrack
