// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/object_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "support/test_image.h"

namespace cltrack {
namespace {

Patch patch(std::uint64_t seed) {
  return reference::extract_patch(test::noise_image(kPatchSide, kPatchSide, seed).view(),
                                  {0, 0, kPatchSide, kPatchSide});
}

bool same(const Patch& a, const Patch& b) { return a.pixels == b.pixels; }

TEST(ObjectModel, WithoutPatchesKnowsNothing) {
  const ObjectModel model({});
  EXPECT_EQ(model.similarity(patch(1)).relative, 0);
  EXPECT_EQ(model.similarity(patch(1)).conservative, 0);
}

TEST(ObjectModel, WithoutNegativesEverythingIsTheTarget) {
  ObjectModel model({});
  Random random(1);
  model.learn_patches(patch(1), {}, 0.65f, random);
  EXPECT_EQ(model.similarity(patch(2)).relative, 1);
}

TEST(ObjectModel, SimilarityHandComputed) {
  ObjectModel model({});
  Random random(1);
  const std::vector<Patch> negatives = {patch(2)};
  model.learn_patches(patch(1), negatives, 0.65f, random);
  ASSERT_EQ(model.negatives().size(), 1u);
  const Patch query = patch(3);
  const float to_positive = 1 - 0.5f * (reference::ncc(query, patch(1)) + 1);
  const float to_negative = 1 - 0.5f * (reference::ncc(query, patch(2)) + 1);
  EXPECT_FLOAT_EQ(model.similarity(query).relative, to_negative / (to_negative + to_positive));
  EXPECT_FLOAT_EQ(model.similarity(patch(1)).relative, 1);
  EXPECT_TRUE(model.similarity(patch(1)).known_positive);
  EXPECT_FALSE(model.similarity(patch(1)).known_negative);
  EXPECT_FLOAT_EQ(model.similarity(patch(2)).relative, 0);
  EXPECT_TRUE(model.similarity(patch(2)).known_negative);
}

TEST(ObjectModel, LearnsOnlyWhatItDoesNotKnow) {
  ObjectModel model({});
  Random random(1);
  const std::vector<Patch> negatives = {patch(2), patch(2)};
  model.learn_patches(patch(1), negatives, 0.65f, random);
  model.learn_patches(patch(1), negatives, 0.65f, random);
  EXPECT_EQ(model.positives().size(), 1u);
  EXPECT_EQ(model.negatives().size(), 1u);
}

TEST(ObjectModel, NewPositivesGoBehindTheirNearest) {
  ObjectModel model({});
  Random random(1);
  const std::vector<Patch> negatives = {patch(50), patch(51)};
  model.learn_patches(patch(1), negatives, 1, random);
  model.learn_patches(patch(2), {}, 1, random);
  // Three quarters of patch 1, one quarter of patch 9.
  test::PaddedImage mixed(kPatchSide, kPatchSide);
  test::PaddedImage one = test::noise_image(kPatchSide, kPatchSide, 1);
  test::PaddedImage nine = test::noise_image(kPatchSide, kPatchSide, 9);
  mixed.fill([&](int x, int y) { return (3 * one.at(x, y) + nine.at(x, y)) / 4; });
  const Patch near_one = reference::extract_patch(mixed.view(), {0, 0, kPatchSide, kPatchSide});
  model.learn_patches(near_one, {}, 1, random);
  ASSERT_EQ(model.positives().size(), 3u);
  EXPECT_TRUE(same(model.positives()[0], patch(1)));
  EXPECT_TRUE(same(model.positives()[1], near_one));
}

TEST(ObjectModel, ConservativeLooksAtTheFirstHalf) {
  TldConfig config;
  ObjectModel model(config);
  Random random(1);
  const std::vector<Patch> negatives = {patch(50)};
  for (std::uint64_t seed = 1; seed <= 4; ++seed)
    model.learn_patches(patch(seed), negatives, 1, random);
  ASSERT_EQ(model.positives().size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    const PatchSimilarity similarity = model.similarity(model.positives()[i]);
    EXPECT_FLOAT_EQ(similarity.relative, 1);
    if (i < 2) {
      EXPECT_FLOAT_EQ(similarity.conservative, 1);
    } else {
      EXPECT_LT(similarity.conservative, 0.9f);
    }
  }
}

TEST(ObjectModel, CapsForgetWhatIsNotUsedButNeverTheFirst) {
  TldConfig config;
  config.max_positive_patches = 3;
  config.max_negative_patches = 2;
  ObjectModel model(config);
  Random random(1);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const std::vector<Patch> negatives = {patch(1000 + seed)};
    model.learn_patches(patch(seed), negatives, 1, random);
    ASSERT_LE(model.positives().size(), 3u);
    ASSERT_LE(model.negatives().size(), 2u);
    ASSERT_TRUE(same(model.positives()[0], patch(1)));
    model.touch(model.similarity(patch(2)));  // keeps being of use
  }
  bool kept = false;
  for (const Patch& positive : model.positives()) kept = kept || same(positive, patch(2));
  EXPECT_TRUE(kept);
}

// What has been learnt in the same call counts: of three equal negatives one is enough, and one
// that is no danger before the positive is known may be one after it. As if asked for each time.
TEST(ObjectModel, KeepsUpWithWhatItLearns) {
  for (const int cap : {3, 600}) {
    TldConfig config;
    config.max_negative_patches = cap;
    ObjectModel model(config);
    Random random(1);
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      std::vector<Patch> far;
      for (std::uint64_t i = 0; i < 20; ++i) far.push_back(patch(100 + (7 * seed + i) % 31));
      model.learn_patches(patch(seed % 5), far, 0.65f, random);
      for (const Patch& p : far) {
        // Whatever would still be taken for the target was not shown to a full list in vain.
        const PatchSimilarity similarity = model.similarity(p);
        if (cap == 600) {
          ASSERT_TRUE(similarity.known_negative || similarity.relative <= 0.5f);
        }
      }
      for (std::size_t i = 0; i < model.negatives().size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          ASSERT_FALSE(same(model.negatives()[i], model.negatives()[j])) << "learnt twice";
        }
      }
    }
    EXPECT_LE(std::ssize(model.negatives()), cap);
    EXPECT_GE(std::ssize(model.negatives()), 3);
  }
}

TEST(ObjectModel, ACapOfOneKeepsTheFirstPatch) {
  TldConfig config;
  config.max_positive_patches = 1;
  ObjectModel model(config);
  Random random(1);
  for (std::uint64_t seed = 1; seed <= 5; ++seed) model.learn_patches(patch(seed), {}, 2, random);
  ASSERT_EQ(model.positives().size(), 1u);
  EXPECT_TRUE(same(model.positives()[0], patch(1)));
}

const BoundingBox kTrue{60, 50, 40, 40};

class RefinerTest : public testing::Test {
 protected:
  RefinerTest() : image_(200, 150, 3), model_(config_) {
    const test::Texture texture(4);
    image_.fill([&](int x, int y) {
      return std::lround(texture.at(static_cast<float>(x), static_cast<float>(y)));
    });
    luma_.borrow(image_.view());
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
      refine(*detection, luma_, model_, config_.shift);
    }
  }

  TldConfig config_;
  test::PaddedImage image_;
  Plane luma_;
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
  refine(near, luma_, model_, 0.1f);
  refine(far, luma_, model_, 0.33f);
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
