// SPDX-License-Identifier: LGPL-2.1-or-later
// One target: where it goes. Several of them: correlation_filter_targets_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "motion/correlation_filter.h"
#include "motion/filter_window.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/filter_video.h"

namespace cltrack {
namespace {

using test::FilterPicture;
using test::FilterRun;

constexpr ColorSpace kSpaces[] = {ColorSpace::none, ColorSpace::yuv, ColorSpace::rgb};

// Half a cell of the filter, and a bit: what one look may be wrong by.
void expect_near(const BoundingBox& box, const BoundingBox& expected, std::size_t frame) {
  const float tolerance = 0.6f * 5 * std::sqrt(expected.area()) / 32;
  EXPECT_NEAR(box.center_x(), expected.center_x(), tolerance) << frame;
  EXPECT_NEAR(box.center_y(), expected.center_y(), tolerance) << frame;
}

class CorrelationFilterTest : public test::DeviceTest {
 protected:
  // The target's box on each picture.
  void expect_followed(const std::vector<BoundingBox>& boxes, ColorSpace space) {
    FilterRun run(queue_);
    run.show(FilterPicture({&boxes[0], 1}, space), {{{1, boxes[0]}}});
    for (std::size_t i = 1; i < boxes.size(); ++i) {
      const auto moved = run.show(FilterPicture({&boxes[i], 1}, space));
      ASSERT_EQ(moved.size(), 1u);
      ASSERT_TRUE(moved[0]) << i;
      ASSERT_TRUE(moved[0]->quality);
      const BoundingBox& box = moved[0]->box;
      expect_near(box, boxes[i], i);
      EXPECT_NEAR(box.width / boxes[i].width, 1, 0.06) << i;
      EXPECT_NEAR(box.height / boxes[i].height, 1, 0.06) << i;
    }
  }
};

// Sizes as a multiple of the first one.
std::vector<BoundingBox> path(BoundingBox box, float dx, float dy, float growth = 1,
                              int count = 8) {
  std::vector<BoundingBox> boxes = {box};
  for (int i = 1; i < count; ++i) {
    const float width = box.width * growth, height = box.height * growth;
    box = {box.center_x() + dx - width / 2, box.center_y() + dy - height / 2, width, height};
    boxes.push_back(box);
  }
  return boxes;
}

TEST_P(CorrelationFilterTest, FollowsMotion) {
  for (const ColorSpace space : kSpaces) {
    expect_followed(path({60, 40, 36, 28}, 2.5f, 1.75f), space);
    expect_followed(path({90, 60, 36, 28}, -4, -3), space);
  }
}

TEST_P(CorrelationFilterTest, FollowsASizeThatChanges) {
  for (const ColorSpace space : kSpaces) {
    expect_followed(path({60, 40, 32, 32}, 1, 0.5f, 1.03f), space);
    expect_followed(path({50, 30, 50, 46}, 1, 0.5f, 0.98f), space);
  }
}

TEST_P(CorrelationFilterTest, FollowsATargetBesideTheBorder) {
  expect_followed(path({4, 50, 30, 30}, 0, 2), ColorSpace::yuv);
  expect_followed(path({130, 90, 30, 30}, -1, 0), ColorSpace::none);
}

TEST_P(CorrelationFilterTest, FollowsATargetThatIsPartlyOutside) {
  expect_followed(path({-6, 50, 40, 30}, 0, 2), ColorSpace::yuv);
  expect_followed(path({120, -4, 30, 40}, 1, -1, 1, 6), ColorSpace::yuv);
}

TEST_P(CorrelationFilterTest, FollowsSmallTargets) {
  expect_followed(path({70, 50, 8, 8}, 1, 0.5f), ColorSpace::yuv);
}

TEST_P(CorrelationFilterTest, FollowsTargetsAsLargeAsHalfTheFrame) {
  expect_followed(path({20, 30, 80, 60}, 3, 1), ColorSpace::yuv);
  expect_followed(path({10, 10, 80, 90}, 2, 1), ColorSpace::none);
}

// No answer is better than one that nobody could see.
TEST_P(CorrelationFilterTest, HasNoAnswerOutsideOfThePicture) {
  const BoundingBox outside = {500, 70, 40, 40};
  FilterRun run(queue_);
  run.show(FilterPicture({}, ColorSpace::yuv), {{{1, outside}}});
  EXPECT_FALSE(run.show(FilterPicture({}, ColorSpace::yuv))[0]);
}

TEST_P(CorrelationFilterTest, StaysOnAFlatPicture) {
  const BoundingBox box = {60, 40, 30, 30};
  const auto flat = test::PaddedImage(160, 120).fill([](int, int) { return 128; });
  Plane luma;
  luma.borrow(flat.view());
  const Frame frame{.luma = flat.view()};
  const std::shared_ptr<Queue> host = Device::host()->make_queue();
  CorrelationFilter filter({}, queue_);
  const MotionTarget target = {1, box};
  for (int i = 0; i < 3; ++i) {
    filter.begin(frame, luma, {&target, 1});
    if (i == 0) filter.start(target);
    filter.estimate({&target, 1});
    const auto moved = filter.collect(*host);
    ASSERT_TRUE(moved[0]);
    EXPECT_NEAR(moved[0]->box.center_x(), box.center_x(), 1);
    EXPECT_NEAR(moved[0]->box.center_y(), box.center_y(), 1);
    EXPECT_NEAR(moved[0]->box.width, box.width, 0.5f);
    EXPECT_TRUE(std::isfinite(moved[0]->quality->filter));
    EXPECT_TRUE(std::isfinite(moved[0]->quality->filter_psr));
    EXPECT_TRUE(std::isfinite(moved[0]->quality->color_psr.value_or(0)));
    filter.learn({&target, 1});
    filter.end();
  }
  luma.release();
}

TEST_P(CorrelationFilterTest, IsSureOfItsTargetAlone) {
  const BoundingBox box = {60, 40, 36, 28};
  FilterRun run(queue_);
  run.show(FilterPicture({&box, 1}, ColorSpace::yuv), {{{1, box}}});
  const FilterQuality known = *run.show(FilterPicture({&box, 1}, ColorSpace::yuv))[0]->quality;
  const FilterQuality gone = *run.show(FilterPicture({}, ColorSpace::yuv))[0]->quality;
  EXPECT_GT(known.filter, 0.5f);
  EXPECT_GT(known.filter_psr, 10);
  EXPECT_GT(known.color_psr, 3);
  EXPECT_LT(gone.filter, known.filter / 2);
  EXPECT_LT(gone.filter_psr, known.filter_psr / 2);
  EXPECT_LT(*gone.color_psr, *known.color_psr / 2);
}

// Histograms of colours say nothing of greys: they are asked only where they are of the same kind.
TEST_P(CorrelationFilterTest, FollowsAStreamThatLosesItsColorsAndHasThemAgain) {
  const auto boxes = path({50, 40, 36, 28}, 2, 1, 1, 12);
  FilterRun run(queue_);
  ColorSpace before = ColorSpace::none;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const ColorSpace space = kSpaces[i / 3 % 3];
    const FilterPicture picture({&boxes[i], 1}, space);
    if (i == 0) {
      run.show(picture, {{{1, boxes[0]}}});
      continue;
    }
    const auto moved = run.show(picture);
    ASSERT_TRUE(moved[0]) << i;
    expect_near(moved[0]->box, boxes[i], i);
    if (space == before) {
      EXPECT_GT(moved[0]->quality->color_psr, 1) << i;
    } else {
      EXPECT_FALSE(moved[0]->quality->color_psr) << i;
    }
    before = space;
  }
}

// A target that nothing is known of begins where it is said to be.
TEST_P(CorrelationFilterTest, BeginsAnewAfterItHasForgotten) {
  const auto boxes = path({50, 40, 36, 28}, 2, 1);
  FilterRun run(queue_);
  run.show(FilterPicture({&boxes[0], 1}, ColorSpace::yuv), {{{1, boxes[0]}}});
  run.show(FilterPicture({&boxes[1], 1}, ColorSpace::yuv));
  run.filter.reset();
  run.boxes[1] = boxes[2];
  for (std::size_t i = 2; i < boxes.size(); ++i) {
    const auto moved = run.show(FilterPicture({&boxes[i], 1}, ColorSpace::yuv));
    ASSERT_TRUE(moved[0]) << i;
    expect_near(moved[0]->box, boxes[i], i);
  }
}

TEST_P(CorrelationFilterTest, KeepsItsFiltersWhenFramesAreLetGoOf) {
  const auto boxes = path({50, 40, 36, 28}, 2, 1);
  FilterRun stays(queue_), lets_go(queue_);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const FilterPicture picture({&boxes[i], 1}, ColorSpace::yuv);
    std::vector<MotionTarget> added;
    if (i == 0) added.push_back({1, boxes[0]});
    EXPECT_EQ(stays.show(picture, added), lets_go.show(picture, added)) << i;
    if (i % 3 != 1) continue;
    const std::vector<MotionTarget> targets = lets_go.all();
    const Frame frame = picture.frame();
    lets_go.luma.borrow(frame.luma);
    lets_go.filter.begin(frame, lets_go.luma, targets);
    lets_go.filter.estimate(targets);
    lets_go.filter.abandon();
    lets_go.luma.release();
  }
}

CLTRACK_ON_EVERY_DEVICE(CorrelationFilterTest);

TEST(FilterWindow, IsASquareAroundTheBox) {
  const BoundingBox box = {100, 50, 16, 64};
  EXPECT_FLOAT_EQ(filter_window_side(box), 176) << "5.5 roots of the area";
  const WindowJob job = filter_window(box);
  EXPECT_EQ(job.x, (108 - 88) * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.y, (82 - 88) * CLTRACK_WINDOW_PIXEL);
  EXPECT_EQ(job.step_x, 176 * CLTRACK_WINDOW_PIXEL / 128);
  EXPECT_EQ(job.step_y, job.step_x);
}

TEST(FilterWindow, RejectsABoxWithoutAPlace) {
  test::expect_rejected([] { filter_window({0, 0, 0, 40}); });
  test::expect_rejected([] { filter_window({1e9f, 0, 40, 40}); });
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
