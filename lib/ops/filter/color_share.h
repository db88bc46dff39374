// SPDX-License-Identifier: LGPL-2.1-or-later
// Arithmetic of learn_colors(). kernels/filter/learn_colors.cl has the same.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/filter_types.h"

namespace cltrack {

// A rectangle of samples, cut off at the window's borders.
struct SampleBox {
  int left, top, right, bottom;

  int area() const { return (right - left) * (bottom - top); }
};

[[gnu::always_inline]] inline SampleBox inside_window(int left, int top, int right, int bottom,
                                                      int side) {
  left = std::clamp(left, 0, side);
  top = std::clamp(top, 0, side);
  return {left, top, std::clamp(right, left, side), std::clamp(bottom, top, side)};
}

[[gnu::always_inline]] inline SampleBox inner_box(const ColorLearnJob& job, int side) {
  return inside_window(job.inner_left, job.inner_top, job.inner_right, job.inner_bottom, side);
}

[[gnu::always_inline]] inline SampleBox outer_box(const ColorLearnJob& job, int side) {
  return inside_window(job.outer_left, job.outer_top, job.outer_right, job.outer_bottom, side);
}

// What one sample of a region of so many adds to a share.
[[gnu::always_inline]] inline float share_of_sample(float rate, int samples) {
  return samples > 0 ? rate / static_cast<float>(samples) : 0;
}

// `kept`: the former share times 1 - rate.
[[gnu::always_inline]] inline float new_share(float kept, std::int32_t count, float of_sample) {
  const float share = kept + static_cast<float>(count) * of_sample;
  return share >= CLTRACK_LEAST_SHARE ? share : 0;
}

// Both shares are 0 or CLTRACK_LEAST_SHARE and more.
[[gnu::always_inline]] inline std::uint16_t color_likelihood(float target, float background) {
  const float share = target / std::max(target + background, CLTRACK_LEAST_SHARE);
  return static_cast<std::uint16_t>(static_cast<std::int32_t>(share * 65535.0f + 0.5f));
}

}  // namespace cltrack
