// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "ops/patches/patch_axis.h"

namespace cltrack {

Patch reference::extract_patch(const ImageView& image, const BoundingBox& box) {
  const PatchAxis xs = reference::make_patch_axis(box.x, box.width, image.width);
  const PatchAxis ys = reference::make_patch_axis(box.y, box.height, image.height);
  const auto width = static_cast<std::size_t>(xs.high - xs.low + 1);
  std::vector<std::int32_t> row(width);
  Patch patch;
  for (int j = 0; j < kPatchSide; ++j) {
    // Columns first: the inner loop is over contiguous pixels.
    std::fill(row.begin(), row.end(), 1 << (kWeightBits - kRowBits - 1));
    for (int t = 0; t < ys.taps; ++t) {
      const std::uint8_t* source = image.row(ys.clamped(j, t)) + xs.low;
      for (std::size_t x = 0; x < width; ++x) row[x] += ys.weights_of(j)[t] * source[x];
    }
    for (std::int32_t& v : row) v >>= kWeightBits - kRowBits;
    for (int i = 0; i < kPatchSide; ++i) {
      int sum = 1 << (kWeightBits - 1);
      for (int t = 0; t < xs.taps; ++t) {
        sum += xs.weights_of(i)[t] * row[static_cast<std::size_t>(xs.clamped(i, t) - xs.low)];
      }
      patch.pixels[static_cast<std::size_t>(j * kPatchSide + i)] =
          static_cast<std::int16_t>(std::clamp(sum >> kWeightBits, 0, 255 * kPatchUnit));
    }
  }
  center_patch(patch);
  return patch;
}

float reference::ncc(const Patch& a, const Patch& b) {
  if (a.norm == 0 || b.norm == 0) return 0;
  std::int32_t dot = 0;
  for (std::size_t i = 0; i < kPatchStride; ++i) dot += a.pixels[i] * b.pixels[i];
  return static_cast<float>(dot) / (a.norm * b.norm);
}

}  // namespace cltrack
