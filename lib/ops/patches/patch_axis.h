// SPDX-License-Identifier: LGPL-2.1-or-later
// How the pixels of one row or column of a box add up to those of a patch: what the bodies of
// extract_patch() share.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ops/patches/patch.h"

namespace cltrack {

inline constexpr int kWeightBits = 14;
inline constexpr int kRowBits = 4;  // fraction bits kept between the two passes, and of the result
static_assert(kPatchUnit == 1 << kRowBits);

// For each of the kPatchSide output pixels of one axis: which input pixels count how much.
struct PatchAxis {
  std::array<int, kPatchSide> first;
  // For each output pixel: `taps` weights that add up to 1 << kWeightBits, and zeros up to
  // `stride`.
  std::vector<std::int16_t> weights;
  int taps = 0;
  int stride = 0;  // a multiple of 8
  int low = 0;     // input pixels before `low` are read as `low`, those after `high` as `high`
  int high = 0;

  int clamped(int output, int tap) const {
    return std::clamp(first[static_cast<std::size_t>(output)] + tap, low, high);
  }
  const std::int16_t* weights_of(int output) const { return weights.data() + output * stride; }
};

// The box reaches from `start` over `length` pixels of `image_size`.
PatchAxis make_patch_axis(float start, float length, int image_size);

// The same on vectors, equal in every bit.
PatchAxis make_patch_axis_vector(float start, float length, int image_size);

// Without weights, all 0, and without `first`.
PatchAxis bare_patch_axis(float start, float length, int image_size);

// Takes the mean off the pixels and computes the norm.
void center_patch(Patch& patch);

}  // namespace cltrack
