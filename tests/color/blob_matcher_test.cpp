// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_finder.h"

#include <gtest/gtest.h>

namespace cltrack {
namespace {

ColorBlob blob_at(int x, int y, std::uint64_t area = 100) {
  return {1,
          {.count = area,
           .sum_x = area * static_cast<std::uint64_t>(x),
           .sum_y = area * static_cast<std::uint64_t>(y),
           .left = x,
           .top = y,
           .right = x + 1,
           .bottom = y + 1}};
}

using Matches = std::vector<int>;

TEST(MatchBlobs, TheNearestPairGoesFirst) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 50, false}, {{120, 0}, 50, false}};
  // Both are nearest to the first one; the second one is left the other.
  const std::vector<ColorBlob> blobs = {blob_at(95, 0), blob_at(101, 0)};
  EXPECT_EQ(match_blobs(expected, blobs), (Matches{1, 0}));
}

TEST(MatchBlobs, OutOfReachIsNotTheSame) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 20, false}};
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(121, 0)}), Matches{kNoBlob});
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(119, 0)}), Matches{0});
}

TEST(MatchBlobs, LostOnesTakeTheLargestOfTheRest) {
  const std::vector<ExpectedBlob> expected = {
      {{100, 0}, 20, false}, {{300, 0}, 0, true}, {{500, 0}, 0, true}};
  const std::vector<ColorBlob> blobs = {blob_at(480, 0, 50), blob_at(105, 0), blob_at(460, 0, 90),
                                        blob_at(10, 0, 10)};
  // The larger one goes to the nearest lost object, what is left to the other.
  EXPECT_EQ(match_blobs(expected, blobs), (Matches{1, 0, 2}));
}

TEST(MatchBlobs, TiesGoToTheLowerIndex) {
  const std::vector<ExpectedBlob> expected = {{{100, 0}, 20, false}, {{100, 0}, 20, false}};
  EXPECT_EQ(match_blobs(expected, std::vector{blob_at(100, 0), blob_at(100, 0)}), (Matches{0, 1}));
}

TEST(MatchBlobs, NothingToMatch) {
  EXPECT_TRUE(match_blobs({}, std::vector{blob_at(1, 1)}).empty());
  EXPECT_EQ(match_blobs(std::vector<ExpectedBlob>(2), {}), (Matches{kNoBlob, kNoBlob}));
}

}  // namespace
}  // namespace cltrack
