// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_response.h"

#include <gtest/gtest.h>

#include "../support/filter_responses.h"

namespace cltrack {
namespace {

using Responses = test::FilterResponses;

TEST(FilterEstimate, TheFirstFrameHasAQuarter) {
  Responses follower, first;
  follower.at(3, 4) = 0.5f;
  first.at(3, 4) = 0.1f;
  const FilterEstimate answer = filter_estimate(follower, first, {}, 4, 4);
  EXPECT_NEAR(answer.x, 3, 0.01f);
  EXPECT_NEAR(answer.y, 4, 0.01f);
  EXPECT_FLOAT_EQ(answer.quality.filter, 0.4f);
  EXPECT_FALSE(answer.quality.color);
  EXPECT_FALSE(answer.quality.color_psr);
}

// Something that follows another place a little better is outvoted.
TEST(FilterEstimate, TheFirstFrameDecidesBetweenTwoPlaces) {
  Responses follower, first;
  follower.at(3, 4) = 0.4f;
  follower.at(-6, 0) = 0.45f;
  EXPECT_NEAR(filter_estimate(follower, first, {}, 4, 4).x, -6, 0.01f);
  first.at(3, 4) = 0.3f;
  EXPECT_NEAR(filter_estimate(follower, first, {}, 4, 4).x, 3, 0.01f);
}

TEST(FilterEstimate, ARivalInTheWindowMakesItLessSure) {
  Responses follower, first, color;
  follower.at(0, 0) = 0.5f;
  color.at(0, 0) = 0.8f;
  const FilterQuality alone = filter_estimate(follower, first, color, 4, 4).quality;
  follower.at(8, 8) = color.at(8, 8) = 0.4f;
  const FilterQuality beside = filter_estimate(follower, first, color, 4, 4).quality;
  EXPECT_EQ(beside.filter, alone.filter);
  EXPECT_LT(beside.filter_psr, 0.2f * alone.filter_psr);
  EXPECT_EQ(beside.color, 0.8f) << "as high as ever";
  EXPECT_LT(*beside.color_psr, 0.2f * *alone.color_psr);
}

// Of the box's own size, it is the target itself.
TEST(FilterEstimate, WhatTheBoxCoversIsNoRival) {
  Responses follower, first;
  follower.at(0, 0) = 0.5f;
  const float alone = filter_estimate(follower, first, {}, 8, 6).quality.filter_psr;
  follower.at(3, 2) = 0.4f;
  EXPECT_FLOAT_EQ(filter_estimate(follower, first, {}, 8, 6).quality.filter_psr, alone);
}

}  // namespace
}  // namespace cltrack
