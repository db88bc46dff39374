// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_window.h"

#include <gtest/gtest.h>

#include "support/errors.h"

namespace cltrack {
namespace {

TEST(FilterWindow, IsASquareAroundTheBox) {
  const BoundingBox box = {100, 50, 16, 64};
  EXPECT_FLOAT_EQ(filter_window_side(box), 176) << "5.5 roots of the area";
  const WindowJob job = filter_window(box);
  EXPECT_EQ(job.x, (108 - 88) * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.y, (82 - 88) * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.step_x, 176 * CLTRACK_WINDOW_PIXEL / 128);
  EXPECT_EQ(job.step_y, job.step_x);
}

TEST(FilterWindow, RefusesABoxWithoutAPlace) {
  const auto code = [](const BoundingBox& box) {
    return test::error_of([&] { filter_window(box); }).code();
  };
  EXPECT_EQ(code({0, 0, 0, 40}), ErrorCode::invalid_argument);
  EXPECT_EQ(code({1e9f, 0, 40, 40}), ErrorCode::invalid_argument);
}

TEST(FilterWindow, HasTheBoxInItsSamples) {
  const BoundingBox box = {0, 0, 16, 64};
  EXPECT_EQ(samples_in_window(box.width, box), 12);  // 16 of 176 pixels, 128 samples
  EXPECT_EQ(samples_in_window(box.height, box), 47);
  EXPECT_EQ(samples_in_window(0, box), 1);
  EXPECT_EQ(samples_in_window(1000, box), 128) << "no more than there are";
}

TEST(FilterWindow, ColorsAreInsideAndOutsideOfTheBox) {
  const ColorLearnJob job = color_learn_job(3, 4, {7, 9, 40, 40}, 0.5f);
  EXPECT_EQ(job.window, 3);
  EXPECT_EQ(job.slot, 4);
  EXPECT_EQ(job.rate, 0.5f);
  // 23.3 samples of 128 are the box, 18.6 its inside.
  EXPECT_EQ(job.outer_left, 52);
  EXPECT_EQ(job.outer_right, 52 + 23);
  EXPECT_EQ(job.inner_left, 54);
  EXPECT_EQ(job.inner_right, 54 + 19);
  EXPECT_EQ(job.outer_top, job.outer_left);
  EXPECT_EQ(job.inner_bottom, job.inner_right);
}

// A fifth of the mean side is more than it is wide.
TEST(FilterWindow, ANarrowTargetKeepsOneColumnOfColors) {
  const ColorLearnJob job = color_learn_job(0, 0, {0, 0, 4, 64}, 1);
  EXPECT_EQ(job.inner_right - job.inner_left, 1);
  EXPECT_EQ(job.outer_right - job.outer_left, 6);
  EXPECT_EQ(job.outer_bottom - job.outer_top, 93);
}

TEST(FilterWindow, BoxesKeepSidesThatWindowsCanHave) {
  EXPECT_EQ(usable_box({10, 20, 30, 40}), (BoundingBox{10, 20, 30, 40}));
  EXPECT_EQ(usable_box({10, 20, 0.5f, 40}), (BoundingBox{9.25f, 20, 2, 40}));
  EXPECT_EQ(usable_box({0, 0, 32768, 40}), (BoundingBox{8192, 0, 16384, 40}));
  EXPECT_EQ(scaled_box({10, 20, 30, 40}, 2), (BoundingBox{-5, 0, 60, 80}));
  EXPECT_EQ(scaled_box({10, 20, 4, 8}, 0.25f), (BoundingBox{11, 22, 2, 4}));
  EXPECT_EQ(scaled_box({10, 20, 1, 8}, 0.5f), (BoundingBox{10, 20, 1, 8})) << "small already";
}

}  // namespace
}  // namespace cltrack
