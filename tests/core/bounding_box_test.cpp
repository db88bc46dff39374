// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/bounding_box.h"

#include <gtest/gtest.h>

#include <limits>

namespace cltrack {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(BoundingBox, OverlapHandComputed) {
  const BoundingBox a{10, 10, 20, 20};
  EXPECT_FLOAT_EQ(overlap(a, a), 1);
  EXPECT_FLOAT_EQ(overlap(a, {20, 10, 20, 20}), 200.0f / 600.0f);
  EXPECT_FLOAT_EQ(overlap(a, {15, 15, 10, 10}), 100.0f / 400.0f);
  EXPECT_EQ(overlap(a, {30, 10, 20, 20}), 0) << "right edges are exclusive";
  EXPECT_EQ(overlap(a, {100, 100, 5, 5}), 0);
  EXPECT_EQ(overlap(a, {15, 15, 0, 10}), 0);
  EXPECT_EQ(overlap({}, {}), 0);
}

TEST(BoundingBox, ClipsToTheFrame) {
  EXPECT_EQ(clip_to_frame({-5, -6, 20, 30}, 100, 50), (BoundingBox{0, 0, 15, 24}));
  EXPECT_EQ(clip_to_frame({90, 40, 20, 30}, 100, 50), (BoundingBox{90, 40, 10, 10}));
  EXPECT_EQ(clip_to_frame({10, 10, 20, 30}, 100, 50), (BoundingBox{10, 10, 20, 30}));
  EXPECT_FALSE(clip_to_frame({100, 0, 20, 30}, 100, 50).is_valid());
  EXPECT_FALSE(clip_to_frame({-50, 0, 20, 30}, 100, 50).is_valid());
}

TEST(BoundingBox, KnowsWhatIsNotABox) {
  EXPECT_TRUE((BoundingBox{-10, 3, 0.5f, 1}).is_valid());
  for (const BoundingBox& box : {BoundingBox{0, 0, 0, 5},
                                 {0, 0, 5, -1},
                                 {kNaN, 0, 5, 5},
                                 {0, kInfinity, 5, 5},
                                 {0, 0, kNaN, 5},
                                 {0, 0, 5, kInfinity}}) {
    EXPECT_FALSE(box.is_valid());
  }
}

}  // namespace
}  // namespace cltrack
