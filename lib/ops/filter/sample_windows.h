// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of a frame, resampled to the sides that the filters take.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>

#include "cltrack/bounding_box.h"
#include "cltrack/error.h"
#include "cltrack/image_view.h"
#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/filter_types.h"

namespace cltrack {

// Which pixels a sample of sample_windows() covers along one axis, and by how much.
// kernels/filter/sample_windows.cl has the same.

inline constexpr std::int32_t kPixel = CLTRACK_WINDOW_PIXEL;

// From `begin` up to `end`, in 1/4096 pixel: parts of pixels [first, last].
struct WindowSpan {
  std::int32_t begin, end;
  int first, last;

  WindowSpan(std::int32_t start, std::int32_t step, int sample) {
    begin = start + sample * step;
    end = begin + step;
    if (step < kPixel) {
      begin -= (kPixel - step) / 2;
      end = begin + kPixel;
    }
    first = begin >> CLTRACK_WINDOW_PIXEL_BITS;  // rounds down
    last = (end - 1) >> CLTRACK_WINDOW_PIXEL_BITS;
  }

  std::int32_t length() const { return end - begin; }

  // Calls add(p, weight) for the pixels of [0, count) that stand for the span: the outermost ones
  // for what lies beyond them, too.
  template <typename Add>
  [[gnu::always_inline]] void each_inside(int count, const Add& add) const {
    const int from = std::clamp(first, 0, count - 1);
    const int to = std::clamp(last, 0, count - 1);
    if (from == to) {
      add(from, length());
      return;
    }
    add(from, (from + 1) * kPixel - begin);
    for (int p = from + 1; p < to; ++p) add(p, kPixel);
    add(to, end - to * kPixel);
  }
};

// The source that windows are sampled out of: pixels, for sample_windows(), or samples of another
// window, for resample_windows().

template <typename T>
struct WindowSource {
  const T* values;  // the first of the first row
  int width, height;
  std::ptrdiff_t stride;  // values from one row to the next

  // Values of a sample for one of the source.
  static constexpr float kUnit = sizeof(T) == 1 ? CLTRACK_GREY_SAMPLES : 1;

  [[gnu::always_inline]] const T* row(int y) const { return values + y * stride; }
};

inline WindowSource<std::uint8_t> window_source(const ImageView& image) {
  return {image.data, image.width, image.height, image.stride};
}

inline WindowSource<std::uint16_t> window_source(std::span<const std::uint16_t> samples, int side) {
  return {samples.data(), side, side, side};
}

// Windows of a picture at a resolution of their own: what a correlation filter looks at.
//
// Sample (i, j) of a window is the mean of the picture over the rectangle of one step at
// (x + i * step_x, y + j * step_y). A step under one pixel takes the pixel-sized square around the
// rectangle's middle instead, which is linear interpolation. Beyond its borders the picture repeats
// its outermost pixels.
//
// Sums are sums of integers: every device gives the same samples.

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

// Checks that the ops on windows of samples share.

[[noreturn]] inline void reject_windows(const char* op, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + what);
}

// Samples of a window of `side` x `side`. Throws Error{invalid_argument} unless it is 1 to
// kMostSampleSide.
inline std::size_t window_samples(const char* op, int side) {
  if (side < 1 || side > kMostSampleSide) {
    reject_windows(op, "windows of " + std::to_string(side) + " samples a side; allowed: 1 to " +
                           std::to_string(kMostSampleSide));
  }
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
}

// Windows of windows: sample_windows() once more, out of samples that it has made. So a target is
// read at many scales without looking at the picture again.
//
// As there, sample (i, j) is the mean of the source over the rectangle of one step, and the source
// repeats its outermost samples. Values keep their unit.
//
// Sums are sums of integers. Sources are below 2^14 (a grey level of 255 is 16320), steps at most
// 2^17 units: what is summed up stays below 2^31.

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
