// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_response.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "ops/filter/translation_filter.h"

namespace cltrack {
namespace {

constexpr int kSide = kFilterCells;

std::size_t cell(int x, int y) {
  return static_cast<std::size_t>((x + kSide) % kSide * kSide + (y + kSide) % kSide);
}

int from_middle(int place) { return place < kSide / 2 ? place : place - kSide; }

constexpr int kParts = 32;              // of a cell, at which a maximum is looked for
constexpr int kReach = kParts / 2 + 1;  // on both sides of a peak
constexpr int kPlaces = 2 * kReach + 1;

// The weights of the responses of a row or column in its value at each place; the responses begin
// at the peak.
using Interpolation = std::array<std::array<double, kSide>, kPlaces>;

Interpolation make_interpolation() {
  Interpolation all;
  for (int i = 0; i < kPlaces; ++i) {
    for (int k = 0; k < kSide; ++k) {
      const double away = std::numbers::pi * (static_cast<double>(i - kReach) / kParts - k);
      all[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)] =
          away == 0 ? 1 : std::sin(away) / (kSide * std::tan(away / kSide));
    }
  }
  return all;
}

// Where, from the peak, the maximum of a row or column is, -0.5 to 0.5 cells. `filter`: from the
// peak on, cyclic. `color`: before, at and after it.
float maximum(const std::array<double, kSide>& filter, const std::array<double, 3>& color) {
  static const Interpolation interpolation = make_interpolation();
  const double slope = (color[2] - color[0]) / 2, bend = (color[0] - 2 * color[1] + color[2]) / 2;
  std::array<float, kPlaces> sums;
  for (std::size_t i = 0; i < kPlaces; ++i) {
    const double place = (static_cast<double>(i) - kReach) / kParts;
    double sum = place * (slope + place * bend);
    for (std::size_t k = 0; k < kSide; ++k) sum += interpolation[i][k] * filter[k];
    sums[i] = static_cast<float>(sum);
  }
  std::size_t best = kReach;  // a flat row says nothing
  for (std::size_t i = 1; i + 1 < kPlaces; ++i) {
    if (sums[i] > sums[best]) best = i;
  }
  const float part = parabola_peak(sums[best - 1], sums[best], sums[best + 1]);
  return std::clamp((static_cast<float>(best) - kReach + part) / kParts, -0.5f, 0.5f);
}

}  // namespace

float parabola_peak(float before, float middle, float after) {
  const float bend = before - 2 * middle + after;
  if (!(bend < 0)) return 0;
  return std::clamp(0.5f * (before - after) / bend, -0.5f, 0.5f);
}

namespace {

using Responses = std::array<float, kFilterPlane>;

Responses with_colors(std::span<const float> filter, std::span<const float> color) {
  Responses both;
  const float share = color.empty() ? 0 : kColorShare;
  for (std::size_t i = 0; i < kFilterPlane; ++i) {
    both[i] = (1 - share) * filter[i] + (color.empty() ? 0 : share * color[i]);
  }
  return both;
}

}  // namespace

FilterPeak filter_peak(std::span<const float> filter, std::span<const float> color) {
  const Responses both = with_colors(filter, color);
  const float share = color.empty() ? 0 : kColorShare;
  const auto at = static_cast<std::size_t>(std::ranges::max_element(both) - both.begin());
  const int x = static_cast<int>(at) / kSide, y = static_cast<int>(at) % kSide;
  // From the peak on, a step being (along_x, along_y).
  const auto between = [&](int along_x, int along_y) {
    std::array<double, kSide> filters;
    for (int k = 0; k < kSide; ++k) {
      filters[static_cast<std::size_t>(k)] =
          static_cast<double>((1 - share) * filter[cell(x + k * along_x, y + k * along_y)]);
    }
    std::array<double, 3> colors = {};
    for (int k = -1; k <= 1 && !color.empty(); ++k) {
      colors[static_cast<std::size_t>(k + 1)] =
          static_cast<double>(share * color[cell(x + k * along_x, y + k * along_y)]);
    }
    return maximum(filters, colors);
  };
  FilterPeak peak;
  peak.x = static_cast<float>(from_middle(x)) + between(1, 0);
  peak.y = static_cast<float>(from_middle(y)) + between(0, 1);
  peak.cell = at;
  peak.value = both[at];
  peak.filter = filter[at];
  if (!color.empty()) peak.color = color[at];
  return peak;
}

namespace {

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

namespace {

Responses of_filters(std::span<const float> adaptive, std::span<const float> initial) {
  constexpr float kInitialShare = 0.25f;
  Responses filter;
  for (std::size_t i = 0; i < kFilterPlane; ++i) {
    filter[i] = (1 - kInitialShare) * adaptive[i] + kInitialShare * initial[i];
  }
  return filter;
}

// 1 if both are the same, and less the more they differ: 0 from 3 % on.
float sameness(const Responses& now, const Responses& learnt) {
  constexpr double kDeviation = 0.01, kMost = 3;
  double change = 0, all = 0;
  for (std::size_t i = 0; i < kFilterPlane; ++i) {
    const double was = static_cast<double>(learnt[i]), by = static_cast<double>(now[i]) - was;
    change += by * by;
    all += was * was;
  }
  if (change == 0) return 1;
  const double unit = all * kDeviation * kDeviation;
  return change < kMost * kMost * unit ? static_cast<float>(std::exp(-0.5 * change / unit)) : 0;
}

}  // namespace

LearntResponse learnt_response(std::span<const float> adaptive, std::span<const float> initial,
                               std::span<const float> color) {
  LearntResponse learnt = {.filter = of_filters(adaptive, initial), .color = {}};
  std::ranges::copy(color, learnt.color.begin());
  return learnt;
}

FilterEstimate filter_estimate(std::span<const float> adaptive, std::span<const float> initial,
                               std::span<const float> color, float width, float height,
                               const LearntResponse* learnt) {
  const Responses filter = of_filters(adaptive, initial);
  const FilterPeak peak = filter_peak(filter, color);
  FilterEstimate estimate = {.x = peak.x, .y = peak.y, .quality = {.filter = peak.filter}};
  if (learnt != nullptr) {
    const float same =
        sameness(with_colors(filter, color), with_colors(learnt->filter, learnt->color));
    const FilterPeak then = same > 0 ? filter_peak(learnt->filter, learnt->color) : FilterPeak{};
    estimate.x -= same * then.x;
    estimate.y -= same * then.y;
  }
  estimate.quality.filter_psr = peak_to_sidelobe(filter, peak.cell, width, height);
  estimate.quality.color = peak.color;
  if (!color.empty())
    estimate.quality.color_psr = peak_to_sidelobe(color, peak.cell, width, height);
  return estimate;
}

}  // namespace cltrack
