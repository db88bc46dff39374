// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of windows: sample_windows() once more, out of samples that it has made. So a target is
// read at many scales without looking at the picture again.
//
// As there, sample (i, j) is the mean of the source over the rectangle of one step, and the source
// repeats its outermost samples. Values keep their unit.
//
// Sums are sums of integers. Sources are below 2^14 (a grey level of 255 is 16320), steps at most
// 2^17 units: what is summed up stays below 2^31.
#pragma once

#include <cstdint>
#include <span>

#include "ops/filter/sample_windows.h"

namespace cltrack {

inline constexpr float kMostResampleStep = 32;  // samples of the source

// The window of side x side samples that covers `box`, which is in samples of source `source` and
// may reach beyond it. Throws Error{invalid_argument} as window_job() does, and for steps over
// kMostResampleStep.
WindowJob resample_job(const BoundingBox& box, int side, int source);

namespace reference {
// `source`: source_side * source_side samples, row by row; samples: side * side.
void resample_window(std::span<const std::uint16_t> source, int source_side, const WindowJob& job,
                     int side, std::span<std::uint16_t> samples);
}  // namespace reference

namespace vector {
void resample_window(std::span<const std::uint16_t> source, int source_side, const WindowJob& job,
                     int side, std::span<std::uint16_t> samples);
}  // namespace vector

// WindowJob::frame is the index of the source: that one begins at source_side * source_side *
// frame. Window of job i begins at side * side * i. Resizes `samples`. Does not wait. Throws Error;
// Error{invalid_argument} if a side is below 1 or over kMostSampleSide, or `sources` does not hold
// whole windows.
void resample_windows(Queue& queue, const Array<std::uint16_t>& sources, int source_side,
                      const Array<WindowJob>& jobs, int side, Array<std::uint16_t>& samples);

}  // namespace cltrack
