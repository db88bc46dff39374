// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in colour for tests, in the layouts that videos have.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cltrack/color_picture.h"
#include "core/random.h"

namespace cltrack::test {

// Offsets and steps as GStreamer's formats of the same names have them.
struct ColorFormat {
  std::string name;
  ColorSpace space;
  int planes;                 // memory of its own each
  std::array<int, 3> plane;   // of a component
  std::array<int, 3> offset;  // in its plane
  std::array<int, 3> step;
  std::array<int, 3> shift_x;
  std::array<int, 3> shift_y;
};

inline const std::vector<ColorFormat>& color_formats() {
  using enum ColorSpace;
  static const std::vector<ColorFormat> formats = {
      {"I420", yuv, 3, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {0, 1, 1}, {0, 1, 1}},
      {"NV12", yuv, 2, {0, 1, 1}, {0, 0, 1}, {1, 2, 2}, {0, 1, 1}, {0, 1, 1}},
      {"NV21", yuv, 2, {0, 1, 1}, {0, 1, 0}, {1, 2, 2}, {0, 1, 1}, {0, 1, 1}},
      {"Y42B", yuv, 3, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {0, 1, 1}, {0, 0, 0}},
      {"Y41B", yuv, 3, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {0, 2, 2}, {0, 0, 0}},
      {"Y444", yuv, 3, {0, 1, 2}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}},
      {"YUY2", yuv, 1, {0, 0, 0}, {0, 1, 3}, {2, 4, 4}, {0, 1, 1}, {0, 0, 0}},
      {"UYVY", yuv, 1, {0, 0, 0}, {1, 0, 2}, {2, 4, 4}, {0, 1, 1}, {0, 0, 0}},
      {"AYUV", yuv, 1, {0, 0, 0}, {1, 2, 3}, {4, 4, 4}, {0, 0, 0}, {0, 0, 0}},
      {"RGB", rgb, 1, {0, 0, 0}, {0, 1, 2}, {3, 3, 3}, {0, 0, 0}, {0, 0, 0}},
      {"BGR", rgb, 1, {0, 0, 0}, {2, 1, 0}, {3, 3, 3}, {0, 0, 0}, {0, 0, 0}},
      {"xRGB", rgb, 1, {0, 0, 0}, {1, 2, 3}, {4, 4, 4}, {0, 0, 0}, {0, 0, 0}},
      {"BGRx", rgb, 1, {0, 0, 0}, {2, 1, 0}, {4, 4, 4}, {0, 0, 0}, {0, 0, 0}},
      {"GBR", rgb, 3, {2, 0, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}, {0, 0, 0}},
  };
  return formats;
}

inline const ColorFormat& color_format(std::string_view name) {
  return *std::ranges::find(color_formats(), name, &ColorFormat::name);
}

// A picture of a format; rows lie `padding` bytes further apart than needed.
class ColorImage {
 public:
  ColorImage(const ColorFormat& format, int width, int height, int padding = 0) {
    picture_.space = format.space;
    picture_.width = width;
    picture_.height = height;
    std::array<std::ptrdiff_t, 3> strides{};
    for (std::size_t c = 0; c < 3; ++c) {
      const auto plane = static_cast<std::size_t>(format.plane[c]);
      const int columns = ((width - 1) >> format.shift_x[c]) + 1;
      const int rows = ((height - 1) >> format.shift_y[c]) + 1;
      strides[plane] = std::max<std::ptrdiff_t>(strides[plane], columns * format.step[c] + padding);
      auto& bytes = planes_[plane];
      bytes.resize(std::max(bytes.size(), static_cast<std::size_t>(strides[plane] * rows)));
    }
    for (std::size_t c = 0; c < 3; ++c) {
      const auto plane = static_cast<std::size_t>(format.plane[c]);
      picture_.components[c] = {planes_[plane].data() + format.offset[c], strides[plane],
                                format.step[c], format.shift_x[c], format.shift_y[c]};
    }
  }
  ColorImage(const ColorImage&) = delete;
  ColorImage& operator=(const ColorImage&) = delete;

  const ColorPicture& picture() const { return picture_; }

  std::uint8_t& at(std::size_t component, int x, int y) {
    const ColorComponent& c = picture_.components[component];
    return const_cast<std::uint8_t&>(
        c.data[(y >> c.shift_y) * c.stride + std::ptrdiff_t{x >> c.shift_x} * c.step]);
  }

  void fill_noise(std::uint64_t seed) {
    Random random(seed);
    for (auto& plane : planes_) {
      for (std::uint8_t& byte : plane) byte = static_cast<std::uint8_t>(random.below(256));
    }
  }

  void fill_box(int left, int top, int width, int height, std::array<std::uint8_t, 3> color) {
    for (int y = top; y < top + height; ++y) {
      for (int x = left; x < left + width; ++x) {
        for (std::size_t c = 0; c < 3; ++c) at(c, x, y) = color[c];
      }
    }
  }

 private:
  ColorPicture picture_;
  std::array<std::vector<std::uint8_t>, 3> planes_;
};

// The picture upside down, as formats have it that begin with the last row: strides are negative.
inline ColorPicture bottom_up(ColorPicture picture) {
  for (ColorComponent& c : picture.components) {
    c.data += ((picture.height - 1) >> c.shift_y) * c.stride;
    c.stride = -c.stride;
  }
  return picture;
}

}  // namespace cltrack::test
