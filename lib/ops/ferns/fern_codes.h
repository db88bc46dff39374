// SPDX-License-Identifier: LGPL-2.1-or-later
// Fern codes of single windows. A fern compares pairs of pixels of a window; the results, first
// pair in the highest bit, are its code.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "kernels/kernel_types.h"

namespace cltrack {

struct ScanWindows;

// The two pixels of a pair, relative to the window's top-left one.
struct PixelPair {
  std::int16_t x1 = 0, y1 = 0, x2 = 0, y2 = 0;
};

// Writes the codes of one window: one per fern, pairs.size() / ferns bits each. A bit is set where
// the first pixel is brighter than the second. The window must lie inside the image.
void fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs, int ferns,
                std::uint16_t* codes);

// A window is looked at through a warp: pixel p of the window is read at
// center + matrix (p - center) + shift, and noise is added to it.
struct Warp {
  float center_x = 0, center_y = 0;  // pixels, in the image
  float matrix[4] = {1, 0, 0, 1};    // row by row
  float shift_x = 0, shift_y = 0;    // pixels
  float noise = 0;                   // standard deviation, grey levels
  std::uint32_t seed = 0;            // of the noise
};

// As fern_codes, through a warp: bilinear interpolation with 8-bit fractions, coordinates clamped
// to the image, noise out of a hash of the seed and the pixel's place in the window's frame, so
// that windows that share a warp share its noise. Results are clamped to 0..255 and compared as
// integers.
void warped_fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs,
                       int ferns, const Warp& warp, std::uint16_t* codes);

// The integers that a warp stands for, which is all that its windows depend on.
FixedWarp fixed_warp(const Warp& warp);
void fixed_warp_fern_codes(const ImageView& image, int x, int y, std::span<const PixelPair> pairs,
                           int ferns, const FixedWarp& warp, std::uint16_t* codes);

// Fern codes of windows of a picture, wherever the queue works. Each job has a part of `list`,
// which names windows of its own sizes, and a part of `warps`: of each window through the first
// warp, then of each through the second, and so on. Sample i of them goes to place first_sample + i
// of `codes`, which has room for it; what is there besides stays. Does not wait. Throws Error.
void fern_codes(Queue& queue, const Plane& image, const ScanWindows& windows,
                const Array<std::uint32_t>& list, const Array<FixedWarp>& warps,
                const Array<CodeJob>& jobs, int ferns, Array<std::uint16_t>& codes);

}  // namespace cltrack
