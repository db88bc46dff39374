// SPDX-License-Identifier: LGPL-2.1-or-later
// The weights by which the rows or columns of a box add up to those of a patch: a part of the
// bodies of extract_patch().
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ops/patches/patch.h"

namespace cltrack {

inline constexpr int kWeightBits = CLTRACK_PATCH_WEIGHT_BITS;
inline constexpr int kRowBits =
    CLTRACK_PATCH_ROW_BITS;  // fraction bits between the two passes, and of the result

// The input pixels and their weights for each of the kPatchSide output pixels of one axis.
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

// The box begins at `start` and is `length` pixels long, of `image_size`.
namespace reference {
PatchAxis make_patch_axis(float start, float length, int image_size);
}
namespace vector {  // equal in every bit
PatchAxis make_patch_axis(float start, float length, int image_size);
}

// The first step of both: weights and `first` are 0.
PatchAxis bare_patch_axis(float start, float length, int image_size);

// Subtracts the mean from the pixels and computes the norm.
void center_patch(Patch& patch);

}  // namespace cltrack
