// SPDX-License-Identifier: LGPL-2.1-or-later
// What windows are sampled out of: pixels, for sample_windows(), or samples of another window, for
// resample_windows().
#pragma once

#include <cstdint>
#include <span>

#include "cltrack/image_view.h"
#include "kernels/filter_types.h"

namespace cltrack {

template <typename T>
struct WindowSource {
  const T* values;  // the first of the first row
  int width, height;
  std::ptrdiff_t stride;  // values from one row to the next

  // Values of a sample for one of the source.
  static constexpr float kUnit = sizeof(T) == 1 ? CLTRACK_GREY_SAMPLES : 1;

  [[gnu::always_inline]] const T* row(int y) const { return values + y * stride; }
};

inline WindowSource<std::uint8_t> window_source(const ImageView& image) {
  return {image.data, image.width, image.height, image.stride};
}

inline WindowSource<std::uint16_t> window_source(std::span<const std::uint16_t> samples, int side) {
  return {samples.data(), side, side, side};
}

}  // namespace cltrack
