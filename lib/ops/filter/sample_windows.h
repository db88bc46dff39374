// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of a picture at a resolution of their own: what a correlation filter looks at.
//
// Sample (i, j) of a window is the mean of the picture over the rectangle of one step at
// (x + i * step_x, y + j * step_y). A step under one pixel takes the pixel-sized square around the
// rectangle's middle instead, which is linear interpolation. Beyond its borders the picture repeats
// its outermost pixels.
//
// Sums are sums of integers: every device gives the same samples.
#pragma once

#include <cstdint>
#include <span>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/plane.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"

namespace cltrack {

inline constexpr int kGreySamples = CLTRACK_GREY_SAMPLES;  // values of a sample in a grey level

// The window of side x side samples that covers `box`, which may reach beyond the picture. Throws
// Error{invalid_argument} if the box is not finite, has a side under 1/64 pixel for each sample or
// over kMostSampleStep, or lies more than kMostSampleOffset pixels away from the picture's corner.
WindowJob window_job(const BoundingBox& box, int side);
inline constexpr float kMostSampleStep = 1024;  // pixels
inline constexpr float kMostSampleOffset = 1 << 17;
inline constexpr int kMostSampleSide = 256;

namespace reference {
// side * side samples, row by row.
void sample_window(const ImageView& image, const WindowJob& job, int side,
                   std::span<std::uint16_t> samples);
}  // namespace reference

namespace vector {
void sample_window(const ImageView& image, const WindowJob& job, int side,
                   std::span<std::uint16_t> samples);
}  // namespace vector

// Window of job i begins at side * side * i. Resizes `samples`. Does not wait. Throws Error.
void sample_windows(Queue& queue, const Plane& image, const Array<WindowJob>& jobs, int side,
                    Array<std::uint16_t>& samples);

}  // namespace cltrack
