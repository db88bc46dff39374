// SPDX-License-Identifier: LGPL-2.1-or-later
// Fern codes of single windows. A fern compares pairs of pixels of a window; the results, first
// pair in the highest bit, are its code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

struct ScanWindows;

// The two pixels of a pair, relative to the window's top-left one.
struct PixelPair {
  std::int16_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// Offsets of the pixel pairs from the first pixel of a window in a picture with this stride, two
// for each pair.
std::vector<std::int32_t> linear_offsets(std::span<const PixelPair> pairs, std::ptrdiff_t stride);

// A warp of windows: pixel p of a window is read at center + matrix (p - center) + shift, and noise
// is added to it.
struct Warp {
  float center_x = 0, center_y = 0;  // pixels, in the image
  float matrix[4] = {1, 0, 0, 1};    // row by row
  float shift_x = 0, shift_y = 0;    // pixels
  float noise = 0;                   // standard deviation, grey levels
  std::uint32_t seed = 0;            // of the noise
};

// The same in integers, for kernels and bodies.
FixedWarp fixed_warp(const Warp& warp);

// Fern codes of windows of a picture. Each job has a part of `list`, which names windows of its own
// sizes, and a part of `warps`. Its samples are all its windows through the first warp, then all
// through the second, and so on. Sample i goes to place first_sample + i of `codes`, which has room
// for it; other places keep their contents. Does not wait. Throws Error.
void fern_codes(Queue& queue, const Plane& image, const ScanWindows& windows,
                const Array<std::uint32_t>& list, const Array<FixedWarp>& warps,
                const Array<CodeJob>& jobs, int ferns, Array<std::uint16_t>& codes);

namespace reference {
// Writes the codes of one window: one per fern, pairs.size() / ferns bits each. A bit is set where
// the first pixel is brighter than the second. The window must lie inside the image.
void fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs, int ferns,
                std::uint16_t* codes);

// The same through a warp: bilinear interpolation with 8-bit fractions, coordinates clamped to the
// image. Noise is a hash of the seed and the pixel's place before the warp, so that windows that
// share a warp share its noise. Pixels are clamped to 0..255 and compared as integers.
void warped_fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs,
                       int ferns, const FixedWarp& warp, std::uint16_t* codes);
}  // namespace reference

}  // namespace cltrack
