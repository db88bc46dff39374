// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches: what a box shows, made comparable by resampling it to 15 x 15 pixels.
#pragma once

#include <array>
#include <cstdint>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "compute/plane.h"

namespace cltrack {

inline constexpr int kPatchSide = 15;
inline constexpr int kPatchPixels = kPatchSide * kPatchSide;
inline constexpr int kPatchStride = 240;  // pixels padded with zeros, for vector units

// Grey levels less their mean, in 1/kPatchUnit: dark, flat pictures (a few grey levels of contrast)
// would lose too much to rounding otherwise. The mean is rounded to the same unit.
inline constexpr int kPatchUnit = 16;

struct Patch {
  // -4080 to 4080; zeros at the end.
  alignas(32) std::array<std::int16_t, kPatchStride> pixels = {};
  float norm = 0;  // square root of the sum of the squares of `pixels`; 0 if flat

  friend bool operator==(const Patch&, const Patch&) = default;

  // Variance of the pixels, grey levels squared.
  float variance() const { return norm * norm / (kPatchPixels * kPatchUnit * kPatchUnit); }
};

// Resamples the part of `image` under `box` with a cubic kernel (Keys, a = -0.5), widened by the
// factor of reduction so that it also smooths (no aliasing). Pixels outside the box, rounded
// outwards to whole pixels, and outside the image are replaced by the nearest one inside. Weights
// are 14-bit integers, so every device gives the same bytes. `box` may be fractional, and must have
// a part inside the image.
Patch extract_patch(const ImageView& image, const BoundingBox& box);

// Zero-mean normalised cross-correlation of two patches, -1 to 1; 0 if one of them is flat. All
// sums are integers up to the last division: 225 sum(ab) - sum(a) sum(b) over the product of the
// norms.
float ncc(const Patch& a, const Patch& b);

// The same on vectors: three to five times as fast.
Patch extract_patch_vector(const ImageView& image, const BoundingBox& box);
float ncc_vector(const Patch& a, const Patch& b);

struct PatchScratch {
  Array<std::int32_t> spans;    // on CPUs
  Array<std::int16_t> weights;  // on CPUs
  Array<std::int32_t> taps;     // on GPUs
};

// extract_patch() of boxes of one job or more, wherever the queue works: boxes.size() /
// counts.size() to each, of which the first counts[job] are used. Resizes `patches` to the number
// of boxes and leaves the others unspecified. No side of a box may be longer than `longest_side`,
// which decides how much room its weights get. Does not wait. Throws Error.
void extract_patches(Queue& queue, const Plane& image, const Array<BoundingBox>& boxes,
                     const Array<std::uint32_t>& counts, float longest_side, PatchScratch& scratch,
                     Array<Patch>& patches);

// Boxes that are one part of the host's work, in all ops on them.
inline constexpr std::uint32_t kBoxesOfAPart = 16;

}  // namespace cltrack
