// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/network_follower.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace cltrack {
namespace {

constexpr BoundingBox kHere = {100, 100, 20, 40};

// Of a window around a box: 5 x 5 places of its size, 10 pixels apart, each as sure as `scores`
// has it (places row by row), the others not at all.
struct Score {
  std::size_t place;
  float score;
};
constexpr std::size_t kMiddle = 12;
NetworkFindings around(const BoundingBox& box, const std::vector<Score>& scores) {
  NetworkFindings findings;
  findings.window = {box.center_x() - 50, box.center_y() - 50, 100, 100};
  for (std::size_t i = 0; i < 25; ++i) {
    BoundingBox place = box;
    place.x += 10.0f * (static_cast<float>(i % 5) - 2);
    place.y += 10.0f * (static_cast<float>(i / 5) - 2);
    findings.places.push_back({place, 0});
  }
  for (const auto& [place, score] : scores) findings.places[place].score = score;
  return findings;
}

class NetworkFollowerTest : public testing::Test {
 protected:
  void begin(const std::vector<Score>& scores) {
    follower_.begin_frame(kHere, around(kHere, scores));
  }
  // What it finds around its place.
  std::optional<BoundingBox> follow(const std::vector<Score>& scores) {
    return follower_.follow(around(*follower_.place(), scores));
  }

  NetworkFollower follower_;
};

TEST_F(NetworkFollowerTest, FollowsNothingWhereItMeansWhatMotionMeans) {
  begin({{kMiddle, 0.9f}});
  EXPECT_FALSE(follower_.place());
  begin({});
  EXPECT_FALSE(follower_.place()) << "it means nothing";
  begin({{kMiddle + 2, 0.5f}});
  EXPECT_FALSE(follower_.place()) << "it is not sure";
  follower_.begin_frame(std::nullopt, around(kHere, {{kMiddle + 2, 0.9f}}));
  EXPECT_FALSE(follower_.place()) << "motion has led nowhere: from where should it go?";
}

TEST_F(NetworkFollowerTest, FollowsAnotherPlaceByItself) {
  begin({{kMiddle + 2, 0.9f}});
  ASSERT_TRUE(follower_.place());
  EXPECT_EQ(*follower_.place(), (BoundingBox{120, 100, 20, 40}));
  EXPECT_EQ(follow({{kMiddle + 1, 0.8f}}), (BoundingBox{130, 100, 20, 40}));
  // Whatever is found around motion's place on the next frame.
  begin({{kMiddle, 0.99f}});
  EXPECT_EQ(follower_.place(), (BoundingBox{130, 100, 20, 40}));
  EXPECT_EQ(follow({{kMiddle + 5, 0.8f}}), (BoundingBox{130, 110, 20, 40}));
  follower_.begin_frame(std::nullopt, around(kHere, {}));
  EXPECT_TRUE(follower_.place()) << "motion has led nowhere, and it goes on";
}

TEST_F(NetworkFollowerTest, ItsPlaceGoesWithTheCamera) {
  follower_.move_place(5, 5);
  EXPECT_FALSE(follower_.place());
  begin({{kMiddle + 2, 0.9f}});
  follower_.move_place(-30, 7);
  EXPECT_EQ(*follower_.place(), (BoundingBox{90, 107, 20, 40}));
}

TEST_F(NetworkFollowerTest, EndsWhereMotionIsAndWhenItIsNotSureOrNotAsked) {
  const auto followed = [&] {
    follower_.reset();
    begin({{kMiddle + 2, 0.9f}});
    return follower_.place().has_value();
  };
  ASSERT_TRUE(followed());
  EXPECT_FALSE(follow({{kMiddle - 2, 0.9f}})) << "back to motion";
  EXPECT_FALSE(follower_.place());
  ASSERT_TRUE(followed());
  EXPECT_FALSE(follow({{kMiddle + 1, 0.4f}}));
  EXPECT_FALSE(follower_.place());
  ASSERT_TRUE(followed());
  EXPECT_FALSE(follow({}));
  ASSERT_TRUE(followed());
  follower_.begin_frame(kHere, std::nullopt);
  EXPECT_FALSE(follower_.place());
  ASSERT_TRUE(followed());
  follower_.reset();
  EXPECT_FALSE(follower_.place());
}

// As sure, or a little surer: the nearer one. Much surer: the other one.
TEST_F(NetworkFollowerTest, PrefersWhatIsNear) {
  begin({{kMiddle + 2, 0.9f}});
  EXPECT_EQ(follow({{kMiddle + 2, 0.9f}, {kMiddle, 0.8f}})->x, 120);
  EXPECT_EQ(follow({{kMiddle + 1, 0.99f}, {kMiddle, 0.51f}})->x, 130);
}

// A place of another shape counts less, and the box takes on a part of its size.
TEST_F(NetworkFollowerTest, ItsSizeChangesSlowly) {
  begin({{kMiddle + 2, 0.9f}});
  NetworkFindings findings = around(*follower_.place(), {{kMiddle, 1}});
  findings.places[kMiddle].box = {110, 80, 40, 80};  // twice as large, the same middle
  const std::optional<BoundingBox> box = follower_.follow(findings);
  ASSERT_TRUE(box);
  EXPECT_NEAR(box->width, 20 + 0.35f * 20, 1e-4f);
  EXPECT_NEAR(box->height, 40 + 0.35f * 40, 1e-4f);
  EXPECT_NEAR(box->center_x(), 130, 1e-4f);
  EXPECT_NEAR(box->center_y(), 120, 1e-4f);
  findings = around(*box, {{kMiddle, 0.9f}, {kMiddle + 1, 0.9f}});
  findings.places[kMiddle].box.width *= 8;
  EXPECT_EQ(follower_.follow(findings)->center_x(), 140) << "the middle one is unlike it";
}

}  // namespace
}  // namespace cltrack
