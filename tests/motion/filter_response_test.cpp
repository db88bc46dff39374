// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_response.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

namespace cltrack {
namespace {

constexpr int kSide = 32;

std::size_t cell(int x, int y) {
  return static_cast<std::size_t>((x + kSide) % kSide * kSide + (y + kSide) % kSide);
}

// Responses of a filter or of colours, by where the target went, which is modulo 32 cells.
class Responses {
 public:
  explicit Responses(float value = 0) : values_(std::size_t{kSide} * kSide, value) {}
  float& at(int x, int y) { return values_[cell(x, y)]; }
  operator std::span<const float>() const { return values_; }  // NOLINT

 private:
  std::vector<float> values_;
};

bool all_finite(const FilterPeak& peak) {
  const std::array<float, 5> numbers = {peak.x, peak.y, peak.value, peak.filter,
                                        peak.color.value_or(0)};
  return std::ranges::all_of(numbers, [](float value) { return std::isfinite(value); });
}

TEST(ParabolaPeak, IsTheMaximumThroughThreeValues) {
  EXPECT_EQ(parabola_peak(1, 2, 1), 0);
  EXPECT_EQ(parabola_peak(0, 2, 1), 1.0f / 6);  // 2 + x / 2 - 3 x^2 / 2
  EXPECT_EQ(parabola_peak(1, 2, 0), -1.0f / 6);
  EXPECT_EQ(parabola_peak(0, 2, 2), 0.5f);
  EXPECT_EQ(parabola_peak(2, 2, 0), -0.5f);
}

TEST(ParabolaPeak, StaysInTheMiddleOfALine) {
  EXPECT_EQ(parabola_peak(0, 0, 0), 0);
  EXPECT_EQ(parabola_peak(1, 2, 3), 0);
  EXPECT_EQ(parabola_peak(3, 2, 3), 0) << "a minimum";
}

// A Gaussian around a place between cells, with a standard deviation of a cell, up to 1 high.
Responses bump(double x, double y) {
  const auto away = [](int cell, double place) {
    return std::remainder(static_cast<double>(cell) - place, static_cast<double>(kSide));
  };
  Responses responses;
  for (int i = 0; i < kSide; ++i) {
    for (int j = 0; j < kSide; ++j) {
      const double dx = away(i, x), dy = away(j, y);
      responses.at(i, j) = static_cast<float>(std::exp(-0.5 * (dx * dx + dy * dy)));
    }
  }
  return responses;
}

TEST(FilterPeak, LiesBetweenCells) {
  for (double part = -0.45; part < 0.5; part += 0.05) {
    const FilterPeak peak = filter_peak(bump(5 + part, 7 - part), {});
    EXPECT_NEAR(static_cast<double>(peak.x), 5 + part, 0.01);
    EXPECT_NEAR(static_cast<double>(peak.y), 7 - part, 0.01);
    EXPECT_LE(peak.value, 1);
    EXPECT_EQ(peak.filter, peak.value);
    EXPECT_FALSE(peak.color);
  }
}

TEST(FilterPeak, WrapsAround) {
  const struct { double x, y; } kPlaces[] = {{0.2, 0.3}, {-0.2, -0.3}, {-0.7, 15.1}, {15.1, -15.6}};
  for (const auto& [x, y] : kPlaces) {
    const FilterPeak peak = filter_peak(bump(x, y), {});
    EXPECT_NEAR(static_cast<double>(peak.x), x, 0.01) << x << ", " << y;
    EXPECT_NEAR(static_cast<double>(peak.y), y, 0.01) << x << ", " << y;
  }
}

// Halfway between two equal ones, neither is favoured by more than that.
TEST(FilterPeak, StaysWithinHalfACellOfTheHighest) {
  Responses filter;
  filter.at(5, 7) = 1;
  filter.at(6, 7) = 1;
  const FilterPeak peak = filter_peak(filter, {});
  EXPECT_NEAR(peak.x, 5.5f, 0.02f);
  EXPECT_NEAR(peak.y, 7, 1e-3f);
}

TEST(FilterPeak, ColorsPullIt) {
  Responses color;
  for (int x = -16; x < 16; ++x) {
    for (int y = -16; y < 16; ++y) color.at(x, y) = 0.5f + 0.01f * static_cast<float>(x);
  }
  const FilterPeak peak = filter_peak(bump(3, 4), color);
  EXPECT_GT(peak.x, 3.003f);
  EXPECT_LT(peak.x, 3.05f);
  EXPECT_NEAR(peak.y, 4, 1e-3f);
}

TEST(FilterPeak, ColorsHaveTheirShare) {
  Responses filter, color(0.5f);
  filter.at(3, 4) = 0.75f;
  filter.at(-2, 1) = 0.5f;
  color.at(-2, 1) = 1;
  color.at(3, 4) = 0.25f;
  const FilterPeak alone = filter_peak(filter, {});
  EXPECT_EQ(alone.x, 3);
  EXPECT_EQ(alone.y, 4);
  const FilterPeak both = filter_peak(filter, color);
  EXPECT_EQ(both.x, -2);
  EXPECT_EQ(both.y, 1);
  EXPECT_FLOAT_EQ(both.value, 0.7f * 0.5f + 0.3f);
  EXPECT_EQ(both.filter, 0.5f);
  EXPECT_EQ(both.color, 1);
  EXPECT_EQ(both.cell, 30u * kSide + 1);
}

TEST(FilterPeak, OfEqualOnesIsTheFirst) {
  Responses filter;
  filter.at(-3, 0) = filter.at(2, 9) = filter.at(2, -9) = 1;
  const FilterPeak peak = filter_peak(filter, {});
  EXPECT_NEAR(peak.x, 2, 0.02f);
  EXPECT_NEAR(peak.y, 9, 0.02f);
}

TEST(FilterPeak, FlatResponsesSayNothing) {
  for (const float value : {0.0f, 0.5f, -0.5f, 1e-30f, 1e6f}) {
    const Responses flat(value);
    for (const FilterPeak& peak : {filter_peak(flat, {}), filter_peak(flat, flat)}) {
      EXPECT_TRUE(all_finite(peak)) << value;
      EXPECT_EQ(peak.x, 0) << value;
      EXPECT_EQ(peak.y, 0) << value;
      EXPECT_FLOAT_EQ(peak.value, value);
    }
  }
}

// The colours alone say where it went.
TEST(FilterPeak, AFlatFilterLeavesItToTheColors) {
  Responses color;
  color.at(-4, 6) = 0.5f;
  const FilterPeak peak = filter_peak(Responses(), color);
  EXPECT_TRUE(all_finite(peak));
  EXPECT_EQ(peak.x, -4);
  EXPECT_EQ(peak.y, 6);
  EXPECT_FLOAT_EQ(peak.value, 0.15f);
}

TEST(FilterEstimate, TheFirstFrameHasAQuarter) {
  Responses adaptive, initial;
  adaptive.at(3, 4) = 0.5f;
  initial.at(3, 4) = 0.1f;
  const FilterEstimate estimate = filter_estimate(adaptive, initial, {}, 4, 4);
  EXPECT_NEAR(estimate.x, 3, 0.01f);
  EXPECT_NEAR(estimate.y, 4, 0.01f);
  EXPECT_FLOAT_EQ(estimate.quality.filter, 0.4f);
  EXPECT_FALSE(estimate.quality.color);
  EXPECT_FALSE(estimate.quality.color_psr);
}

// Something that follows another place a little better is outvoted.
TEST(FilterEstimate, TheFirstFrameDecidesBetweenTwoPlaces) {
  Responses adaptive, initial;
  adaptive.at(3, 4) = 0.4f;
  adaptive.at(-6, 0) = 0.45f;
  EXPECT_NEAR(filter_estimate(adaptive, initial, {}, 4, 4).x, -6, 0.01f);
  initial.at(3, 4) = 0.3f;
  EXPECT_NEAR(filter_estimate(adaptive, initial, {}, 4, 4).x, 3, 0.01f);
}

TEST(FilterEstimate, ARivalInTheWindowMakesItLessSure) {
  Responses adaptive, initial, color;
  adaptive.at(0, 0) = 0.5f;
  color.at(0, 0) = 0.8f;
  const FilterQuality alone = filter_estimate(adaptive, initial, color, 4, 4).quality;
  adaptive.at(8, 8) = color.at(8, 8) = 0.4f;
  const FilterQuality beside = filter_estimate(adaptive, initial, color, 4, 4).quality;
  EXPECT_EQ(beside.filter, alone.filter);
  EXPECT_LT(beside.filter_psr, 0.2f * alone.filter_psr);
  EXPECT_EQ(beside.color, 0.8f) << "as high as ever";
  EXPECT_LT(*beside.color_psr, 0.2f * *alone.color_psr);
}

// Of the box's own size, it is the target itself.
TEST(FilterEstimate, WhatTheBoxCoversIsNoRival) {
  Responses adaptive, initial;
  adaptive.at(0, 0) = 0.5f;
  const float alone = filter_estimate(adaptive, initial, {}, 8, 6).quality.filter_psr;
  adaptive.at(3, 2) = 0.4f;
  EXPECT_FLOAT_EQ(filter_estimate(adaptive, initial, {}, 8, 6).quality.filter_psr, alone);
}

// Half of the cells 1, half of them -1: mean 0, deviation 1, wherever an even number is left out.
std::vector<float> board() {
  std::vector<float> responses(kSide * kSide);
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) responses[cell(x, y)] = (x + y) % 2 == 0 ? 1.0f : -1.0f;
  }
  return responses;
}

TEST(PeakToSidelobe, CountsDeviationsAboveTheMean) {
  std::vector<float> responses = board();
  responses[cell(5, 7)] = 10;
  // 3 x 3 cells are left out: one more of one kind than of the other.
  EXPECT_NEAR(peak_to_sidelobe(responses, cell(5, 7), 1, 1), 10, 0.02f);
  for (float& value : responses) value = 0.5f * value + 3;
  EXPECT_NEAR(peak_to_sidelobe(responses, cell(5, 7), 1, 1), 10, 0.02f) << "of any scale";
}

// The box covers the target's own response.
TEST(PeakToSidelobe, LeavesTheBoxOut) {
  std::vector<float> responses = board();
  responses[cell(0, 0)] = 10;
  for (const int y : {-3, -2, 2, 3}) responses[cell(0, y)] = 9;
  responses[cell(-1, 1)] = 9;
  EXPECT_NEAR(peak_to_sidelobe(responses, cell(0, 0), 3, 6), 10, 0.05f);
  EXPECT_LT(peak_to_sidelobe(responses, cell(0, 0), 3, 3), 9.2f) << "another target";
}

TEST(PeakToSidelobe, IsTheSameAcrossTheEdge) {
  std::vector<float> middle = board(), edge = board();
  middle[cell(16, 16)] = edge[cell(0, 0)] = 5;
  middle[cell(14, 17)] = edge[cell(-2, 1)] = 4;
  EXPECT_FLOAT_EQ(peak_to_sidelobe(middle, cell(16, 16), 4, 4),
                  peak_to_sidelobe(edge, cell(0, 0), 4, 4));
}

TEST(PeakToSidelobe, IsFinite) {
  const std::vector<float> flat(kSide * kSide, 0.3f);
  EXPECT_NEAR(peak_to_sidelobe(flat, 3, 5, 5), 0, 0.01f);
  std::vector<float> alone(kSide * kSide);
  alone[3] = 1;
  EXPECT_NEAR(peak_to_sidelobe(alone, 3, 5, 5), 1000, 1) << "the least deviation is a thousandth";
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(peak_to_sidelobe(alone, 3, infinity, infinity), 0) << "nothing is left";
}

// The responses on the window that was learnt from have their peak beside its middle.
TEST(FilterEstimate, NothingHasMovedIfResponsesAreAsTheyWereLearnt) {
  const Responses adaptive = bump(0.4, -0.3), initial = bump(0.2, 0.1), color = bump(-1.3, 0.6);
  const LearntResponse learnt = learnt_response(adaptive, initial, color);
  const FilterEstimate alone = filter_estimate(adaptive, initial, color, 6, 6);
  EXPECT_GT(std::abs(alone.x) + std::abs(alone.y), 0.1f) << "or nothing is tested";
  const FilterEstimate still = filter_estimate(adaptive, initial, color, 6, 6, &learnt);
  EXPECT_EQ(still.x, 0);
  EXPECT_EQ(still.y, 0);
  EXPECT_EQ(still.quality.filter, alone.quality.filter) << "as sure as ever";
}

TEST(FilterEstimate, TheLessResponsesAreAsLearntTheMoreTheirPeakCounts) {
  const Responses color(0.5f);
  const LearntResponse learnt = learnt_response(bump(0.4, 0), bump(0.4, 0), color);
  const auto moved = [&](double by) {
    const Responses now = bump(0.4 + by, 0);
    return filter_estimate(now, now, color, 6, 6, &learnt).x;
  };
  EXPECT_NEAR(moved(0.001), 0, 0.02f);
  EXPECT_NEAR(moved(0.5), 0.9, 0.01);
  EXPECT_NEAR(moved(-2), -1.6, 0.01);
  float before = moved(0);
  for (double by = 0.01; by < 0.3; by += 0.01) {
    const float now = moved(by);
    EXPECT_GT(now, before) << by;
    before = now;
  }
}

TEST(FilterEstimate, FlatResponsesHaveNotMoved) {
  const Responses flat;
  const LearntResponse learnt = learnt_response(flat, flat, flat);
  EXPECT_EQ(filter_estimate(flat, flat, flat, 6, 6, &learnt).x, 0);
  EXPECT_NEAR(filter_estimate(bump(1, 0), bump(1, 0), flat, 6, 6, &learnt).x, 1, 0.01);
}

}  // namespace
}  // namespace cltrack
