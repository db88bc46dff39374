// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_peak.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "ops/filter/filter_spectra.h"

namespace cltrack {
namespace {

constexpr int kSide = kFilterCells;
constexpr int kLobe = 3;  // cells around the peak that are not sidelobes

std::size_t cell(int x, int y) {
  return static_cast<std::size_t>((x + kSide) % kSide * kSide + (y + kSide) % kSide);
}

int from_middle(int place) { return place < kSide / 2 ? place : place - kSide; }

float psr_of(std::span<const float> filter) {
  const auto peak = static_cast<int>(std::ranges::max_element(filter) - filter.begin());
  double sum = 0, squares = 0;
  int count = 0;
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      if (std::abs(from_middle((x - peak / kSide + kSide) % kSide)) <= kLobe &&
          std::abs(from_middle((y - peak % kSide + kSide) % kSide)) <= kLobe) {
        continue;
      }
      const double value = static_cast<double>(filter[cell(x, y)]);
      sum += value;
      squares += value * value;
      ++count;
    }
  }
  const double mean = sum / count;
  const double deviation = std::sqrt(std::max(0.0, squares / count - mean * mean));
  const double height = static_cast<double>(filter[static_cast<std::size_t>(peak)]) - mean;
  return static_cast<float>(height / (deviation + 1e-6));
}

float apce_of(std::span<const float> filter) {
  const auto [least, most] = std::ranges::minmax(filter);
  double energy = 0;
  for (const float value : filter) {
    const double above = static_cast<double>(value - least);
    energy += above * above;
  }
  const double range = static_cast<double>(most - least);
  return static_cast<float>(range * range / (energy / kFilterPlane + 1e-12));
}

}  // namespace

float parabola_peak(float before, float middle, float after) {
  const float bend = before - 2 * middle + after;
  if (!(bend < 0)) return 0;
  return std::clamp(0.5f * (before - after) / bend, -0.5f, 0.5f);
}

FilterPeak filter_peak(std::span<const float> filter, std::span<const float> color) {
  std::array<float, kFilterPlane> both;
  const float share = color.empty() ? 0 : kColorShare;
  for (std::size_t i = 0; i < kFilterPlane; ++i) {
    both[i] = (1 - share) * filter[i] + (color.empty() ? 0 : share * color[i]);
  }
  const auto at = static_cast<std::size_t>(std::ranges::max_element(both) - both.begin());
  const int x = static_cast<int>(at) / kSide, y = static_cast<int>(at) % kSide;
  FilterPeak peak;
  peak.x = static_cast<float>(from_middle(x)) +
           parabola_peak(both[cell(x - 1, y)], both[at], both[cell(x + 1, y)]);
  peak.y = static_cast<float>(from_middle(y)) +
           parabola_peak(both[cell(x, y - 1)], both[at], both[cell(x, y + 1)]);
  peak.value = both[at];
  peak.filter = filter[at];
  peak.color = color.empty() ? 0 : color[at];
  peak.psr = psr_of(filter);
  peak.apce = apce_of(filter);
  return peak;
}

}  // namespace cltrack
