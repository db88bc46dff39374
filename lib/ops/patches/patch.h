// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches: the pixels of a box, resampled to 15 x 15 so that boxes of any size can be compared.
#pragma once

#include <array>
#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "kernels/kernel_types.h"

namespace cltrack {

inline constexpr int kPatchSide = CLTRACK_PATCH_SIDE;
inline constexpr int kPatchPixels = kPatchSide * kPatchSide;
inline constexpr int kPatchStride =
    CLTRACK_PATCH_STRIDE;  // pixels padded with zeros, for vector units

// Pixels are grey levels less their mean, in 1/kPatchUnit. Whole grey levels would lose too much to
// rounding in dark, flat pictures. The mean is rounded to the same unit.
inline constexpr int kPatchUnit = 1 << CLTRACK_PATCH_ROW_BITS;

struct Patch {
  // -4080 to 4080; zeros at the end.
  alignas(32) std::array<std::int16_t, kPatchStride> pixels = {};
  float norm = 0;  // square root of the sum of the squares of `pixels`; 0 if flat

  friend bool operator==(const Patch&, const Patch&) = default;

  // After the pixels.
  void set_norm();

  // Variance of the pixels, grey levels squared.
  float variance() const { return norm * norm / (kPatchPixels * kPatchUnit * kPatchUnit); }
};

// extract_patch() resamples the part of `image` under `box` with a cubic kernel (Keys, a = -0.5),
// which reduction widens so that it also smooths (no aliasing). Pixels outside the box, rounded
// outwards to whole pixels, and outside the image are replaced by the nearest one inside. Weights
// are 14-bit integers, so every device gives the same bytes. `box` may be fractional, and must
// overlap the image.
//
// ncc() is the zero-mean normalised cross-correlation of two patches, -1 to 1; 0 if one of them is
// flat. All sums are integers up to the last division.
namespace reference {
Patch extract_patch(const ImageView& image, const BoundingBox& box);
float ncc(const Patch& a, const Patch& b);
}  // namespace reference
namespace vector {  // three to five times as fast
Patch extract_patch(const ImageView& image, const BoundingBox& box);
float ncc(const Patch& a, const Patch& b);
}  // namespace vector

// Boxes in one part of the host's work, in all ops on them.
inline constexpr std::uint32_t kBoxesOfAPart = 16;

}  // namespace cltrack
