// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of a frame as pictures that a network looks at: blue, green and red of each place side by
// side, less the means that the network wants.
//
// Each component of the frame is interpolated linearly at the middle of a place: positions count in
// 1/4096 pixel, what neighbours count in 1/256, so that sums are sums of integers. YUV becomes RGB
// as its encoding says, 0 to 255; of luma alone, all three are the same. A place whose middle lies
// beyond the frame has the colour that the job says. Every device makes the same bits.
#pragma once

#include <array>
#include <span>

#include "cltrack/bounding_box.h"
#include "cltrack/color_picture.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/network_types.h"
#include "ops/color/color_sums.h"

namespace cltrack {

// Blue, green, red, 0 to 255.
using PictureColor = std::array<float, 3>;

// The picture of side x side places that covers `box`, which may reach beyond the frame. Throws
// Error{invalid_argument} as window_job() does, and for sides over kMostPictureLength.
PictureJob picture_job(const BoundingBox& box, int side, const PictureColor& fill);

inline constexpr float kMostPictureLength = 1 << 17;  // pixels

PictureColors picture_colors(ColorSpace space, const YuvEncoding& encoding,
                             const PictureColor& mean);

namespace reference {
// 3 * side * side values, row by row. The frame must have pixels.
void sample_picture(const ColorPicture& frame, const PictureJob& job, const PictureColors& colors,
                    int side, std::span<float> values);
}  // namespace reference

namespace vector {
void sample_picture(const ColorPicture& frame, const PictureJob& job, const PictureColors& colors,
                    int side, std::span<float> values);
}  // namespace vector

// The picture of job i begins at 3 * side * side * i. Resizes `pictures`. Does not wait. Throws
// Error; Error{invalid_argument} if the frame has no pixels or `side` is not 1 to
// kMostPictureSide.
void sample_pictures(Queue& queue, const PictureSource& frame, const Array<PictureJob>& jobs,
                     int side, const PictureColor& mean, Array<float>& pictures);
inline constexpr int kMostPictureSide = 1024;

}  // namespace cltrack
