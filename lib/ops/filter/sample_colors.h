// SPDX-License-Identifier: LGPL-2.1-or-later
// The colours of a window's samples, for histograms: Bertinetto, Valmadre, Golodetz, Miksik, Torr,
// "Staple: Complementary Learners for Real-Time Tracking", CVPR 2016, section 3.3.
//
// A sample has the colour of the one pixel that contains the middle of its rectangle, see
// sample_windows.h; beyond its borders the picture repeats its outermost pixels. (A mean of pixels
// would be of a colour that none of them has.) The colour is a bin of kColorBins:
//   c0 << 10 | c1 << 5 | c2
//   rgb         the upper 5 bits of red, green and blue
//   yuv         the upper 5 bits of Y; Cb and Cr from 64 to 191, 4 values a bin, what is beyond in
//               the outermost: few pictures have more than this around grey
//   luma alone  its upper 5 bits, 0, 0
#pragma once

#include <cstdint>
#include <span>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"
#include "ops/color/color_planes.h"

namespace cltrack {

inline constexpr int kColorBins = CLTRACK_COLOR_BINS;

// The picture of ColorSpace::none whose first component is `luma`: for reference::sample_colors().
ColorPicture luma_picture(const ImageView& luma);

namespace reference {
// side * side bins, row by row. The picture must have pixels.
void sample_colors(const ColorPicture& picture, const WindowJob& job, int side,
                   std::span<std::uint16_t> bins);
}  // namespace reference

// Window of job i begins at side * side * i. Resizes `bins`. Does not wait. Throws Error;
// Error{invalid_argument} if there is no picture or `side` is not 1 to kMostSampleSide.
void sample_colors(Queue& queue, const ColorPlanes& planes, const Array<WindowJob>& jobs, int side,
                   Array<std::uint16_t>& bins);

// The same of a picture without colours.
void sample_colors(Queue& queue, const Plane& luma, const Array<WindowJob>& jobs, int side,
                   Array<std::uint16_t>& bins);

}  // namespace cltrack
