// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"

namespace cltrack {

namespace reference {

namespace {

template <typename T>
void sample(const WindowSource<T>& source, const WindowJob& job, int side,
            std::span<std::uint16_t> samples) {
  for (int j = 0; j < side; ++j) {
    const WindowSpan rows(job.y, job.step_y, j);
    const float row_scale = source.kUnit / static_cast<float>(rows.length());
    for (int i = 0; i < side; ++i) {
      const WindowSpan columns(job.x, job.step_x, i);
      std::int64_t sum = 0;
      columns.each_inside(source.width, [&](int x, std::int32_t weight) {
        std::int32_t column = 0;
        rows.each_inside(source.height,
                         [&](int y, std::int32_t share) { column += share * source.row(y)[x]; });
        const auto mean = static_cast<std::int32_t>(static_cast<float>(column) * row_scale + 0.5f);
        sum += std::int64_t{weight} * mean;
      });
      const float mean = static_cast<float>(sum) * (1 / static_cast<float>(columns.length()));
      samples[static_cast<std::size_t>(j * side + i)] = static_cast<std::uint16_t>(mean + 0.5f);
    }
  }
}

}  // namespace

void sample_window(const ImageView& image, const WindowJob& job, int side,
                   std::span<std::uint16_t> samples) {
  sample(window_source(image), job, side, samples);
}

void resample_window(std::span<const std::uint16_t> source, int source_side, const WindowJob& job,
                     int side, std::span<std::uint16_t> samples) {
  sample(window_source(source, source_side), job, side, samples);
}

}  // namespace reference

namespace vector {

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

}  // namespace vector

namespace {

constexpr int kItems = 64;  // of a work-group

constexpr const char* kSampleWindows = "sample_windows";

std::int32_t fixed(float pixels) {
  return static_cast<std::int32_t>(std::lround(static_cast<double>(pixels) * kPixel));
}

// Corner and step along an axis.
std::pair<std::int32_t, std::int32_t> axis(float begin, float length, int side) {
  const float step = length / static_cast<float>(side);
  if (!(std::abs(begin) <= kMostSampleOffset) || !(step >= 1.0f / 64) ||
      !(step <= kMostSampleStep)) {
    reject_windows(kSampleWindows, "a window from " + std::to_string(begin) + " on, " +
                                       std::to_string(length) + " pixels long, of " +
                                       std::to_string(side) +
                                       " samples; allowed: a beginning within " +
                                       std::to_string(kMostSampleOffset) + " pixels, 1/64 to " +
                                       std::to_string(kMostSampleStep) + " pixels a sample");
  }
  return {fixed(begin), fixed(step)};
}

}  // namespace

WindowJob window_job(const BoundingBox& box, int side) {
  const auto [x, step_x] = axis(box.x, box.width, side);
  const auto [y, step_y] = axis(box.y, box.height, side);
  return {.x = x, .y = y, .step_x = step_x, .step_y = step_y, .frame = 0};
}

void sample_windows(Queue& queue, const Plane& image, const Array<WindowJob>& jobs, int side,
                    Array<std::uint16_t>& samples) {
  const std::size_t each = window_samples(kSampleWindows, side);
  samples.resize(jobs.size() * each);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const ImageView view = image.host_view();
    const auto to = samples.host_write();
    for_each_job(queue, jobs.host_read(), [&](const WindowJob& job, std::size_t i) {
      vector::sample_window(view, job, side, entry_at(to, i, each));
    });
    return;
  }
  launch(queue, {"sample_windows", "sample_windows"}, global(each, jobs.size()), local(kItems, 1),
         in(image.pixels), image.layout, in(jobs), side, out(samples));
}

namespace {

constexpr const char* kResampleWindows = "resample_windows";

}  // namespace

WindowJob resample_job(const BoundingBox& box, int side, int source) {
  WindowJob job = window_job(box, side);
  constexpr auto kMost = static_cast<std::int32_t>(kMostResampleStep) * kPixel;
  if (job.step_x > kMost || job.step_y > kMost) {
    reject_windows(kResampleWindows, "a window of " + std::to_string(box.width) + " x " +
                                         std::to_string(box.height) + " samples of its source, " +
                                         std::to_string(side) + " samples a side; allowed: up to " +
                                         std::to_string(kMostResampleStep) + " for each");
  }
  job.frame = source;
  return job;
}

void resample_windows(Queue& queue, const Array<std::uint16_t>& sources, int source_side,
                      const Array<WindowJob>& jobs, int side, Array<std::uint16_t>& samples) {
  const std::size_t source_area = window_samples(kResampleWindows, source_side);
  const std::size_t each = window_samples(kResampleWindows, side);
  if (sources.size() % source_area != 0) {
    reject_windows(kResampleWindows,
                   std::to_string(sources.size()) + " samples are no sources of " +
                       std::to_string(source_side) + " x " + std::to_string(source_side));
  }
  samples.resize(jobs.size() * each);
  if (jobs.size() == 0) return;
  if (queue.is_host()) {
    const auto from = sources.host_read();
    const auto to = samples.host_write();
    for_each_job(queue, jobs.host_read(), [&](const WindowJob& job, std::size_t i) {
      vector::resample_window(entry_at(from, job.frame, source_area), source_side, job, side,
                              entry_at(to, i, each));
    });
    return;
  }
  launch(queue, {"resample_windows", "resample_windows"}, global(each, jobs.size()),
         local(kItems, 1), in(sources), source_side, in(jobs), side, out(samples));
}

}  // namespace cltrack
