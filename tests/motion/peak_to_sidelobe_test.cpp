// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_response.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace cltrack {
namespace {

constexpr int kSide = 32;

std::size_t cell(int x, int y) {
  return static_cast<std::size_t>((x + kSide) % kSide * kSide + (y + kSide) % kSide);
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

// What the box covers is the target's own answer.
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

}  // namespace
}  // namespace cltrack
