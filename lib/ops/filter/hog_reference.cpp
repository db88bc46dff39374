// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "ops/filter/hog.h"
#include "ops/filter/hog_cell.h"
#include "ops/filter/hog_gradient.h"

namespace cltrack::reference {
namespace {

using Histogram = std::array<std::uint32_t, kHogDirections>;

// Twice the distance from a sample to the middle of a cell's neighbourhood, in samples, is odd:
// weights are eighths.
int eighths(int sample, int cell) {
  const int distance = std::abs(2 * sample + 1 - (2 * cell + 1) * kCellSide);
  return std::max(0, 2 * kCellSide - distance);
}

}  // namespace

void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features) {
  const int side = cells * kCellSide;
  const auto sample = [&](int x, int y) {
    x = std::clamp(x, 0, side - 1);
    y = std::clamp(y, 0, side - 1);
    return static_cast<std::int32_t>(samples[static_cast<std::size_t>(y * side + x)]);
  };
  const auto cell_at = [&](int x, int y) {
    x = std::clamp(x, 0, cells - 1);
    y = std::clamp(y, 0, cells - 1);
    return static_cast<std::size_t>(x * cells + y);
  };
  const auto count = static_cast<std::size_t>(cells * cells);
  std::vector<Histogram> histograms(count);
  std::vector<std::uint32_t> greys(count);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const HogGradient gradient =
          hog_gradient(sample(x + 1, y) - sample(x - 1, y), sample(x, y + 1) - sample(x, y - 1));
      greys[cell_at(x / kCellSide, y / kCellSide)] += static_cast<std::uint32_t>(sample(x, y));
      for (int cy = 0; cy < cells; ++cy) {
        for (int cx = 0; cx < cells; ++cx) {
          const int weight = eighths(x, cx) * eighths(y, cy);
          histograms[cell_at(cx, cy)][static_cast<std::size_t>(gradient.direction)] +=
              static_cast<std::uint32_t>(weight * gradient.length);
        }
      }
    }
  }
  std::vector<float> energies(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < 9; ++d) {
      const float both = hog_value(histograms[i][d] + histograms[i][d + 9]);
      energies[i] += both * both;
    }
  }
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      std::array<float, 4> norms;
      for (int block = 0; block < 4; ++block) {
        const int next_x = x + (block % 2 == 0 ? -1 : 1);
        const int next_y = y + (block / 2 == 0 ? -1 : 1);
        norms[static_cast<std::size_t>(block)] =
            hog_norm(energies[cell_at(x, y)], energies[cell_at(next_x, y)],
                     energies[cell_at(x, next_y)], energies[cell_at(next_x, next_y)]);
      }
      const Histogram& histogram = histograms[cell_at(x, y)];
      std::array<float, 4> totals = {};
      const auto feature = [&](int channel) -> float& {
        return features[static_cast<std::size_t>(channel) * count + cell_at(x, y)];
      };
      for (int d = 0; d < 18; ++d) {
        float sum = 0;
        for (std::size_t block = 0; block < 4; ++block) {
          const float value =
              hog_cut(hog_value(histogram[static_cast<std::size_t>(d)]) * norms[block]);
          sum += value;
          totals[block] += value;
        }
        feature(d) = 0.5f * sum;
      }
      for (int d = 0; d < 9; ++d) {
        const auto i = static_cast<std::size_t>(d);
        float sum = 0;
        for (const float norm : norms)
          sum += hog_cut(hog_value(histogram[i] + histogram[i + 9]) * norm);
        feature(18 + d) = 0.5f * sum;
      }
      for (int block = 0; block < 4; ++block) {
        feature(27 + block) = CLTRACK_HOG_TEXTURE * totals[static_cast<std::size_t>(block)];
      }
      feature(31) = hog_grey(greys[cell_at(x, y)]);
    }
  }
}

}  // namespace cltrack::reference
