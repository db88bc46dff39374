// SPDX-License-Identifier: LGPL-2.1-or-later
// Brightness between pixels, in integers, for optical flow and the similarity of points.
#pragma once

#include <cstddef>

namespace cltrack {

// The pixel up left of a place, and the weights of the four pixels around it: whole numbers that
// add up to 2^14. One of them may be -1.
struct PixelWeights {
  int x = 0;
  int y = 0;
  int upper_left = 0;
  int upper_right = 0;
  int lower_left = 0;
  int lower_right = 0;
};

// Both coordinates must be within +-2^22.
inline PixelWeights pixel_weights(float left, float top) {
  // floor() and rint() would be calls: x86 has no instructions for them before SSE4.1.
  const auto floored = [](float v) {
    const int towards_zero = static_cast<int>(v);
    return towards_zero - (v < static_cast<float>(towards_zero) ? 1 : 0);
  };
  const auto rounded = [](float v) {
    constexpr float kFirstWithoutFraction = 3 << 22;
    return static_cast<int>((v + kFirstWithoutFraction) - kFirstWithoutFraction);
  };
  constexpr float kOne = 1 << 14;
  PixelWeights at;
  at.x = floored(left);
  at.y = floored(top);
  const float fx = left - static_cast<float>(at.x);
  const float fy = top - static_cast<float>(at.y);
  at.upper_left = rounded((1 - fx) * (1 - fy) * kOne);
  at.upper_right = rounded(fx * (1 - fy) * kOne);
  at.lower_left = rounded((1 - fx) * fy * kOne);
  at.lower_right = (1 << 14) - at.upper_left - at.upper_right - at.lower_left;
  return at;
}

// The four entries from `p` on, times 2^14.
template <typename T>
int weigh(const T* p, std::ptrdiff_t stride, const PixelWeights& at) {
  return p[0] * at.upper_left + p[1] * at.upper_right + p[stride] * at.lower_left +
         p[stride + 1] * at.lower_right;
}

}  // namespace cltrack
