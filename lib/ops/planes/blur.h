// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane. The ferns compare pixels of the blurred plane, where a single pixel
// stands for its neighbourhood.
#pragma once

#include <cstdint>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// 13 taps of a Gaussian of sigma 2, in 1/256; they add up to 256. (The kernel in the author's code
// has 12 taps, which shifts the picture by half a pixel.)
inline constexpr int kBlurRadius = CLTRACK_BLUR_RADIUS;
inline constexpr std::uint16_t kBlurWeights[kBlurRadius + 1] = CLTRACK_BLUR_WEIGHTS;

// dst = src blurred, same size: first along the rows, then along the columns, with one rounding
// (half up) at the end. Borders repeat the outermost pixel. Integer arithmetic: every device gives
// the same bytes. The host uses the vector body, in parts. Resizes dst. Does not wait. Throws
// Error.
void blur(Queue& queue, const Plane& src, Plane& dst);

// Rows [begin, end) of the result. `dst` begins with row 0; its rows are packed.
namespace reference {
void blur(const ImageView& src, int begin, int end, std::uint8_t* dst);
}
namespace vector {  // some five times as fast
void blur(const ImageView& src, int begin, int end, std::uint8_t* dst);
}

}  // namespace cltrack
