// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane: the ferns look at it instead of the picture itself, which makes single
// pixels stand for their neighbourhood.
#pragma once

#include <cstdint>

#include "cltrack/image_view.h"
#include "compute/plane.h"

namespace cltrack {

// 13 taps of a Gaussian of sigma 2 (the author's kernel is 12 wide, which shifts the picture by
// half a pixel), in 1/256; they add up to 256.
inline constexpr int kBlurRadius = 6;
inline constexpr std::uint16_t kBlurWeights[kBlurRadius + 1] = {50, 45, 31, 17, 7, 2, 1};

// dst = src blurred, same size; rows first, then columns, and one rounding (half up) at the end.
// Borders repeat the outermost pixel. Integer arithmetic: every device gives the same bytes.
void blur_host(const ImageView& src, Image& dst);

// The same on vectors: some five times as fast.
void blur_vector(const ImageView& src, Image& dst);

// The bodies write packed rows; `dst` begins with row 0, of which these are rows [begin, end).
void blur_host(const ImageView& src, int begin, int end, std::uint8_t* dst);
void blur_vector(const ImageView& src, int begin, int end, std::uint8_t* dst);

// The same wherever the queue works; resizes dst. The host blurs on vectors, in parts. Does not
// wait. Throws Error.
void blur(Queue& queue, const Plane& src, Plane& dst);

}  // namespace cltrack
