// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/sample_windows.h"
#include "ops/filter/window_axis.h"

namespace cltrack::reference {

void sample_window(const ImageView& image, const WindowJob& job, int side,
                   std::span<std::uint16_t> samples) {
  for (int j = 0; j < side; ++j) {
    const WindowSpan rows(job.y, job.step_y, j);
    const float row_scale = kGreySamples / static_cast<float>(rows.length());
    for (int i = 0; i < side; ++i) {
      const WindowSpan columns(job.x, job.step_x, i);
      std::int64_t sum = 0;
      columns.each_inside(image.width, [&](int x, std::int32_t weight) {
        std::int32_t column = 0;
        rows.each_inside(image.height,
                         [&](int y, std::int32_t share) { column += share * image.row(y)[x]; });
        const auto mean = static_cast<std::int32_t>(static_cast<float>(column) * row_scale + 0.5f);
        sum += std::int64_t{weight} * mean;
      });
      const float mean = static_cast<float>(sum) * (1 / static_cast<float>(columns.length()));
      samples[static_cast<std::size_t>(j * side + i)] = static_cast<std::uint16_t>(mean + 0.5f);
    }
  }
}

}  // namespace cltrack::reference
