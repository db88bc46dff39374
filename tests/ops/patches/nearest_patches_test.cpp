// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/nearest_patches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/test_image.h"

namespace cltrack {
namespace {

Patch patch(std::uint64_t seed) {
  return extract_patch(test::noise_image(kPatchSide, kPatchSide, seed).view(),
                       {0, 0, kPatchSide, kPatchSide});
}

TEST(NearestPatches, OfNothingIsNothing) {
  const NearestPatches nearest = nearest_patches(patch(1), {}, 0, {});
  EXPECT_EQ(nearest.positive, -1);
  EXPECT_EQ(nearest.conservative, -1);
  EXPECT_EQ(nearest.negative, -1);
  EXPECT_EQ(nearest.positive_index, -1);
  EXPECT_EQ(nearest.negative_index, -1);
}

TEST(NearestPatches, FindsThePatchItself) {
  const std::vector<Patch> positives = {patch(1), patch(2), patch(3), patch(3)};
  const std::vector<Patch> negatives = {patch(7), patch(8), patch(9)};
  const NearestPatches nearest = nearest_patches(patch(3), positives, 2, negatives);
  EXPECT_FLOAT_EQ(nearest.positive, 1);
  EXPECT_EQ(nearest.positive_index, 2) << "the first of equals";
  EXPECT_LT(nearest.conservative, 0.8f) << "not among the first two";
  EXPECT_FLOAT_EQ(nearest_patches(patch(8), positives, 2, negatives).negative, 1);
  EXPECT_EQ(nearest_patches(patch(8), positives, 2, negatives).negative_index, 1);
}

TEST(NearestPatches, IsTheMaximumOfTheSimilarities) {
  std::vector<Patch> positives, negatives;
  for (std::uint64_t i = 0; i < 17; ++i) positives.push_back(patch(100 + i));
  for (std::uint64_t i = 0; i < 23; ++i) negatives.push_back(patch(200 + i));
  const Patch query = patch(5);
  const auto best = [&](const std::vector<Patch>& patches, std::size_t count) {
    float result = -1;
    for (std::size_t i = 0; i < count; ++i) {
      result = std::max(result, 0.5f * (ncc(query, patches[i]) + 1));
    }
    return result;
  };
  const NearestPatches nearest = nearest_patches(query, positives, 9, negatives);
  EXPECT_EQ(nearest.positive, best(positives, 17));
  EXPECT_EQ(nearest.conservative, best(positives, 9));
  EXPECT_EQ(nearest.negative, best(negatives, 23));
}

}  // namespace
}  // namespace cltrack
