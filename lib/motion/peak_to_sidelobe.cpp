// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/peak_to_sidelobe.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/filter/filter_spectra.h"

namespace cltrack {
namespace {

constexpr int kSide = kFilterCells;
constexpr float kLeastHalf = 1.5f;  // cells
constexpr double kLeastDeviation = 1e-3;

// Cells from one place to another, either way around.
float distance(int from, int to) {
  const int away = std::abs(from - to);
  return static_cast<float>(std::min(away, kSide - away));
}

}  // namespace

float peak_to_sidelobe(std::span<const float> responses, std::size_t peak, float width,
                       float height) {
  const int at = static_cast<int>(peak);
  const float half_width = std::max(kLeastHalf, 0.5f * width);
  const float half_height = std::max(kLeastHalf, 0.5f * height);
  double sum = 0, squares = 0;
  int count = 0;
  std::array<bool, kSide> is_beside;  // of the box, by y
  for (int y = 0; y < kSide; ++y) {
    is_beside[static_cast<std::size_t>(y)] = distance(y, at % kSide) > half_height;
  }
  for (int x = 0; x < kSide; ++x) {
    const bool all = distance(x, at / kSide) > half_width;
    const auto row = responses.subspan(static_cast<std::size_t>(x * kSide), kSide);
    for (std::size_t y = 0; y < row.size(); ++y) {
      if (!all && !is_beside[y]) continue;
      const auto value = static_cast<double>(row[y]);
      sum += value;
      squares += value * value;
      ++count;
    }
  }
  if (count == 0) return 0;
  const double mean = sum / count;
  const double deviation = std::sqrt(std::max(squares / count - mean * mean, 0.0));
  const double above = static_cast<double>(responses[peak]) - mean;
  return static_cast<float>(above / std::max(deviation, kLeastDeviation));
}

}  // namespace cltrack
