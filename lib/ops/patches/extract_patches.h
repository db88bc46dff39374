// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches of the object model: boxes resampled to 15 x 15 pixels, and their correlation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// Patches: the pixels of a box, resampled to 15 x 15 so that boxes of any size can be compared.

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

// The same of a plane of which the host may have no more than the rows that the box needs.
Patch extract_patch(const Plane& image, const BoundingBox& box);

// Boxes in one part of the host's work, in all ops on them.
inline constexpr std::uint32_t kBoxesOfAPart = 16;

// The weights by which the rows or columns of a box add up to those of a patch: a part of the
// bodies of extract_patch().

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

// The patches of many boxes.

using PatchScratch = Array<std::int32_t>;  // weights

// extract_patch() of the boxes of one job or more: boxes.size() / counts.size() to each, of which
// the first counts[job] are used. Resizes `patches` to the number of boxes and leaves the unused
// ones unspecified. No side of a box may be longer than `longest_side`, from which the room for
// weights follows. Does not wait. Throws Error.
void extract_patches(Queue& queue, const Plane& image, const Array<BoundingBox>& boxes,
                     const Array<std::uint32_t>& counts, float longest_side, PatchScratch& scratch,
                     Array<Patch>& patches);

}  // namespace cltrack
