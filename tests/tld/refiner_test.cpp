// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/object_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/test_image.h"

namespace cltrack {
namespace {

const BoundingBox kTrue{60, 50, 40, 40};

class RefinerTest : public testing::Test {
 protected:
  RefinerTest() : image_(200, 150, 3), model_(config_) {
    const test::Texture texture(4);
    image_.fill([&](int x, int y) {
      return std::lround(texture.at(static_cast<float>(x), static_cast<float>(y)));
    });
    Random random(1);
    const std::vector<Patch> negatives = {
        reference::extract_patch(image_.view(), {130, 20, 40, 40}),
        reference::extract_patch(image_.view(), {10, 100, 40, 40})};
    model_.learn_patches(reference::extract_patch(image_.view(), kTrue), negatives, 0.65f, random);
  }

  Detection detection(const BoundingBox& box) const {
    Detection result;
    result.box = box;
    result.similarity = model_.similarity(reference::extract_patch(image_.view(), box));
    return result;
  }

  void refine_promising(std::vector<Detection>& detections, float nn_threshold = 0) {
    for (Detection* detection : promising(detections, nn_threshold, config_)) {
      refine(*detection, image_.view(), model_, config_.shift);
    }
  }

  TldConfig config_;
  test::PaddedImage image_;
  ObjectModel model_;
};

TEST_F(RefinerTest, ClimbsToTheTarget) {
  std::vector<Detection> detections = {detection({63, 48, 44, 44})};
  const float before = detections[0].similarity.relative;
  refine_promising(detections);
  EXPECT_GT(detections[0].similarity.relative, before);
  EXPECT_GT(overlap(detections[0].box, kTrue), overlap({63, 48, 44, 44}, kTrue));
  EXPECT_EQ(detections[0].similarity.relative,
            model_.similarity(reference::extract_patch(image_.view(), detections[0].box)).relative)
      << "box and similarity belong together";
}

// From half way between two windows of a coarse grid.
TEST_F(RefinerTest, ReachesAsFarAsTheGridIsCoarse) {
  const BoundingBox off{66.5f, 43.5f, 40, 40};
  Detection near = detection(off), far = near;
  refine(near, image_.view(), model_, 0.1f);
  refine(far, image_.view(), model_, 0.33f);
  EXPECT_LT(overlap(near.box, kTrue), 0.85f);
  EXPECT_GT(overlap(far.box, kTrue), 0.95f);
}

TEST_F(RefinerTest, LeavesTheBestPlaceAlone) {
  std::vector<Detection> detections = {detection(kTrue)};
  refine_promising(detections);
  EXPECT_EQ(detections[0].box, kTrue);
}

TEST_F(RefinerTest, TouchesOnlyTheMostPromising) {
  const BoundingBox off{63, 48, 40, 40};
  const BoundingBox farther{66, 46, 40, 40};
  std::vector<Detection> detections = {detection(farther), detection(off)};
  ASSERT_GT(detections[1].similarity.relative, detections[0].similarity.relative);
  config_.refined_detections = 1;
  refine_promising(detections);
  EXPECT_EQ(detections[0].box, farther);
  EXPECT_NE(detections[1].box, off);
}

TEST_F(RefinerTest, LeavesOutWhatIsTooUnlike) {
  const BoundingBox off{63, 48, 40, 40};
  std::vector<Detection> detections = {detection(off)};
  config_.refine_margin = 0.1f;
  refine_promising(detections, detections[0].similarity.relative + 0.11f);
  EXPECT_EQ(detections[0].box, off);
}

TEST_F(RefinerTest, StaysInsideThePicture) {
  for (const BoundingBox& box : {BoundingBox{0, 0, 40, 40}, {160, 110, 40, 40}, {0, 0, 200, 150}}) {
    std::vector<Detection> detections = {detection(box)};
    refine_promising(detections);
    const BoundingBox& result = detections[0].box;
    EXPECT_GE(result.x, 0);
    EXPECT_GE(result.y, 0);
    EXPECT_LE(result.right(), 200);
    EXPECT_LE(result.bottom(), 150);
  }
}

}  // namespace
}  // namespace cltrack
