// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/window_search.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

ScoreMap map_of(int width, int height, auto&& score) {
  ScoreMap map;
  map.resize(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x)
      map.row(y)[x] = score(static_cast<float>(x), static_cast<float>(y));
  }
  return map;
}

TEST(ScorePeaks, BestFirstAndApart) {
  ScoreMap map = map_of(20, 10, [](float, float) { return 0.0f; });
  map.row(3)[4] = 0.9f;
  map.row(3)[5] = 0.8f;  // on the flank of the first one
  map.row(7)[15] = 0.7f;
  const auto peaks = find_peaks(map, 2, 3, 3);
  ASSERT_EQ(peaks.size(), 2u);
  EXPECT_EQ(peaks[0].x, 4);
  EXPECT_EQ(peaks[0].y, 3);
  EXPECT_EQ(peaks[1].x, 15);
  EXPECT_EQ(peaks[1].y, 7);
  EXPECT_EQ(peaks[1].score, 0.7f);
}

TEST(ScorePeaks, AmongEqualsTheFirst) {
  const ScoreMap map = map_of(5, 4, [](float, float) { return 0.5f; });
  const auto peaks = find_peaks(map, 5, 10, 10);
  ASSERT_EQ(peaks.size(), 1u) << "all others are near";
  EXPECT_EQ(peaks[0].x, 0);
  EXPECT_EQ(peaks[0].y, 0);
}

TEST(ScorePeaks, ASurfaceOfSecondDegreeHasItsTopBetweenPlaces) {
  const ScoreMap map = map_of(9, 9, [](float x, float y) {
    const float dx = x - 4.3f, dy = y - 3.8f;
    return 1 - 0.02f * dx * dx - 0.03f * dy * dy - 0.01f * dx * dy;
  });
  const Peak peak = refined_peak(map);
  EXPECT_NEAR(peak.x, 4.3f, 1e-3f);
  EXPECT_NEAR(peak.y, 3.8f, 1e-3f);
}

TEST(ScorePeaks, AtTheEdgeItStaysWhereItIs) {
  const ScoreMap map = map_of(5, 5, [](float x, float y) { return x + y; });
  const Peak peak = refined_peak(map);
  EXPECT_EQ(peak.x, 4);
  EXPECT_EQ(peak.y, 4);
}

}  // namespace
}  // namespace cltrack
