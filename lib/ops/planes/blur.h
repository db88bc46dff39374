// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane: the ferns look at it instead of the picture itself, which makes single
// pixels stand for their neighbourhood.
#pragma once

#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "compute/plane.h"

namespace cltrack {

// 13 taps of a Gaussian of sigma 2 (the author's kernel is 12 wide, which shifts the picture by
// half a pixel), in 1/256; they add up to 256.
inline constexpr int kBlurRadius = 6;
inline constexpr std::uint16_t kBlurWeights[kBlurRadius + 1] = {50, 45, 31, 17, 7, 2, 1};

struct BlurScratch {
  std::vector<std::uint16_t> rows;  // rows blurred horizontally, 8.8 fixed point
  std::vector<std::uint8_t> padded;
};

// dst = src blurred, same size; rows first, then columns, and one rounding (half up) at the end.
// Borders repeat the outermost pixel. Integer arithmetic: every device gives the same bytes.
void blur_host(const ImageView& src, Image& dst, BlurScratch& scratch);

// The same on vectors: some five times as fast.
void blur_vector(const ImageView& src, Image& dst, BlurScratch& scratch);

// The bodies write packed rows.
void blur_host(const ImageView& src, std::uint8_t* dst, BlurScratch& scratch);
void blur_vector(const ImageView& src, std::uint8_t* dst, BlurScratch& scratch);

// The same wherever the queue works; resizes dst. `scratch` serves the host alone, which blurs on
// vectors. Does not wait. Throws Error.
void blur(Queue& queue, Plane& src, Plane& dst, BlurScratch& scratch);

}  // namespace cltrack
