// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <vector>

#include "core/processor.h"
#include "ops/filter/resample_windows.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/window_axis.h"
#include "ops/filter/window_source.h"

namespace cltrack::vector {
namespace {

constexpr int kLanes = 8;  // rows of samples that are made at a time

// Means of the source's columns [low, low + count) over the rows of `span`, `kLanes` apart.
template <typename T>
[[gnu::always_inline]] inline void column_means(const WindowSource<T>& source,
                                                const WindowSpan& span, int low, int count,
                                                std::int32_t* sums, std::int32_t* means) {
  std::fill_n(sums, count, 0);
  span.each_inside(source.height, [&](int y, std::int32_t weight) {
    const T* row = source.row(y) + low;
    for (int x = 0; x < count; ++x) sums[x] += weight * row[x];
  });
  const float scale = source.kUnit / static_cast<float>(span.length());
  for (int x = 0; x < count; ++x) {
    means[x * kLanes] = static_cast<std::int32_t>(static_cast<float>(sums[x]) * scale + 0.5f);
  }
}

// `Sum`: a type that the sums of a span of columns fit into.
template <typename Sum, typename T>
[[gnu::always_inline]] inline void row_means(const WindowSource<T>& source, const WindowSpan& span,
                                             int low, const std::int32_t* means, float* samples) {
  Sum sums[kLanes] = {};
  span.each_inside(source.width, [&](int x, std::int32_t weight) {
    const std::int32_t* column = means + (x - low) * kLanes;
    for (int lane = 0; lane < kLanes; ++lane) sums[lane] += static_cast<Sum>(weight) * column[lane];
  });
  const float scale = 1 / static_cast<float>(span.length());
  for (int lane = 0; lane < kLanes; ++lane) {
    samples[lane] = static_cast<float>(sums[lane]) * scale + 0.5f;
  }
}

template <typename T>
[[gnu::always_inline]] inline void sample(const WindowSource<T>& source, const WindowJob& job,
                                          int side, std::uint16_t* samples) {
  const int low = std::clamp(WindowSpan(job.x, job.step_x, 0).first, 0, source.width - 1);
  const int high = std::clamp(WindowSpan(job.x, job.step_x, side - 1).last, 0, source.width - 1);
  const int count = high - low + 1;
  std::vector<std::int32_t> sums(static_cast<std::size_t>(count));
  std::vector<std::int32_t> means(static_cast<std::size_t>(count * kLanes));
  // 14 bits of a mean leave so many to the weights.
  const bool is_short = std::max(job.step_x, kPixel) < 1 << 17;
  for (int top = 0; top < side; top += kLanes) {
    const int rows = std::min(kLanes, side - top);
    for (int r = 0; r < rows; ++r) {
      column_means(source, WindowSpan(job.y, job.step_y, top + r), low, count, sums.data(),
                   means.data() + r);
    }
    for (int i = 0; i < side; ++i) {
      const WindowSpan span(job.x, job.step_x, i);
      float own[kLanes];
      if (is_short) {
        row_means<std::int32_t>(source, span, low, means.data(), own);
      } else {
        row_means<std::int64_t>(source, span, low, means.data(), own);
      }
      for (int r = 0; r < rows; ++r) {
        samples[(top + r) * side + i] = static_cast<std::uint16_t>(own[r]);
      }
    }
  }
}

}  // namespace

void sample_window(const ImageView& image, const WindowJob& job, int side,
                   std::span<std::uint16_t> samples) {
  kFastest<sample<std::uint8_t>>(window_source(image), job, side, samples.data());
}

void resample_window(std::span<const std::uint16_t> source, int source_side, const WindowJob& job,
                     int side, std::span<std::uint16_t> samples) {
  kFastest<sample<std::uint16_t>>(window_source(source, source_side), job, side, samples.data());
}

}  // namespace cltrack::vector
