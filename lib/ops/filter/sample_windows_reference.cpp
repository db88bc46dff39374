// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/resample_windows.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/window_axis.h"
#include "ops/filter/window_source.h"

namespace cltrack::reference {
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

}  // namespace cltrack::reference
