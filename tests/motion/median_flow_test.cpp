// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/median_flow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::PaddedImage;

using namespace median_flow_parts;

TEST(MedianFlowParts, GridFillsTheBoxInsideTheMargin) {
  const std::vector<Point> points = median_flow_points({10, 20, 51, 31}, {});
  ASSERT_EQ(points.size(), 100u);
  EXPECT_FLOAT_EQ(points.front().x, 15);
  EXPECT_FLOAT_EQ(points.front().y, 25);
  EXPECT_FLOAT_EQ(points.back().x, 55);
  EXPECT_FLOAT_EQ(points.back().y, 45);
  EXPECT_FLOAT_EQ(points[1].y, points[0].y) << "row by row";
}

TEST(MedianFlowParts, GridOfATinyBoxStaysInIt) {
  for (const Point& point : median_flow_points({10, 20, 8, 8}, {})) {
    EXPECT_GE(point.x, 10);
    EXPECT_LE(point.x, 17);
    EXPECT_GE(point.y, 20);
    EXPECT_LE(point.y, 27);
  }
}

TEST(MedianFlowParts, MedianIsTheLowerMiddle) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({4, 1, 3, 2}), 2);
}

TEST(MedianFlowParts, MovedBoxHandComputed) {
  // Everything twice as far apart and moved by (5, -1) at the median, but for one outlier.
  const std::vector<Point> from = {{10, 10}, {20, 10}, {10, 20}, {20, 20}, {15, 15}};
  std::vector<Point> to;
  for (const Point& p : from) to.push_back({15 + 2 * (p.x - 15) + 5, 15 + 2 * (p.y - 15) - 1});
  to[4] = {20, 14};
  const BoundingBox moved = moved_box({10, 10, 10, 10}, from, to);
  EXPECT_FLOAT_EQ(moved.width, 20);
  EXPECT_FLOAT_EQ(moved.height, 20);
  EXPECT_FLOAT_EQ(moved.center_x(), 20);
  EXPECT_FLOAT_EQ(moved.center_y(), 14);
}

constexpr int kWidth = 240, kHeight = 180;

// A texture, moved by (dx, dy) and scaled about the middle.
PaddedImage picture(float dx, float dy, float scale, std::uint64_t seed = 5) {
  const test::Texture texture(seed);
  PaddedImage image(kWidth, kHeight);
  image.fill([&](int x, int y) {
    const float u = (static_cast<float>(x) - 120 - dx) / scale + 120;
    const float v = (static_cast<float>(y) - 90 - dy) / scale + 90;
    return std::lround(texture.at(u, v));
  });
  return image;
}

class MedianFlowTest : public test::DeviceTest {
 protected:
  // Where the boxes went from the picture before to this one.
  std::vector<std::optional<Motion>> show(MedianFlow& flow, const PaddedImage& image,
                                          const std::vector<BoundingBox>& boxes) {
    std::vector<MotionTarget> targets;
    for (const BoundingBox& box : boxes) targets.push_back({targets.size() + 1, box});
    const Frame frame{.luma = image.view()};
    Plane luma;
    luma.borrow(frame.luma);
    flow.begin(frame, luma, targets);
    flow.estimate(frames_++ == 0 ? std::vector<MotionTarget>() : targets);
    const auto moved = flow.collect(*host_);
    flow.end();
    luma.release();
    return moved;
  }

  std::shared_ptr<Queue> host_ = Device::host()->make_queue(2);
  int frames_ = 0;
};

TEST_P(MedianFlowTest, FollowsMotionAndScale) {
  MedianFlow flow({}, queue_, false);
  const std::vector<BoundingBox> boxes = {{100, 70, 40, 40}};
  EXPECT_TRUE(show(flow, picture(0, 0, 1), boxes).empty());
  const auto moved = show(flow, picture(4.5f, -3.25f, 1.05f), boxes);
  ASSERT_EQ(moved.size(), 1u);
  ASSERT_TRUE(moved[0]);
  EXPECT_NEAR(moved[0]->box.center_x(), 124.5, 0.5);
  EXPECT_NEAR(moved[0]->box.center_y(), 86.75, 0.5);
  EXPECT_NEAR(moved[0]->box.width, 42, 0.5);
  EXPECT_NEAR(moved[0]->box.height, 42, 0.5);
}

TEST_P(MedianFlowTest, SeveralTargetsGoWhereEachGoesAlone) {
  const std::vector<BoundingBox> boxes = {
      {100, 70, 40, 40}, {10, 20, 120, 90}, {180, 120, 15, 11}, {500, 70, 40, 40}};
  MedianFlow together({}, queue_, false);
  show(together, picture(0, 0, 1), boxes);
  const auto moved = show(together, picture(2, 1, 1.02f), boxes);
  ASSERT_EQ(moved.size(), boxes.size());
  EXPECT_FALSE(moved[3]) << "outside of the picture";
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // The largest window decides how many levels there are: the same one in both.
    MedianFlow alone({}, Device::host()->make_queue(), false);
    frames_ = 0;
    const std::vector<BoundingBox> pair = {boxes[i], boxes[1]};
    show(alone, picture(0, 0, 1), pair);
    EXPECT_EQ(show(alone, picture(2, 1, 1.02f), pair)[0], moved[i]) << i;
  }
}

TEST_P(MedianFlowTest, FailsWhenThePictureIsAnotherOne) {
  MedianFlow flow({.points = {.max_error = 2}}, queue_, false);
  const std::vector<BoundingBox> boxes = {{100, 70, 40, 40}};
  show(flow, picture(0, 0, 1), boxes);
  EXPECT_FALSE(show(flow, picture(0, 0, 1, 77), boxes)[0]);
}

TEST_P(MedianFlowTest, FailsOnAFlatPicture) {
  MedianFlow flow({}, queue_, false);
  PaddedImage flat(kWidth, kHeight);
  flat.fill([](int, int) { return 90; });
  show(flow, flat, {{100, 70, 40, 40}});
  EXPECT_FALSE(show(flow, flat, {{100, 70, 40, 40}})[0]);
}

// Between any two frames, from the host, to the host, twice, and back.
TEST_P(MedianFlowTest, GoesOnElsewhere) {
  const std::vector<BoundingBox> boxes = {{100, 70, 40, 40}, {20, 20, 90, 60}};
  const auto at = [](int i) { return picture(static_cast<float>(i), 0, 1); };
  MedianFlow expected({}, host_, false);
  std::vector<std::vector<std::optional<Motion>>> stays;
  for (int i = 0; i < 6; ++i) stays.push_back(show(expected, at(i), boxes));
  frames_ = 0;
  MedianFlow moves({}, host_, true);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(show(moves, at(i), boxes), stays[static_cast<std::size_t>(i)]) << i;
    moves.place(i % 3 == 0 ? queue_ : host_, true);
    if (i == 4) moves.place(queue_, true);
  }
}

CLTRACK_ON_EVERY_DEVICE(MedianFlowTest);

}  // namespace
}  // namespace cltrack
