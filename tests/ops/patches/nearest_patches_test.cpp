// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/nearest_patches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "support/test_image.h"

namespace cltrack {
namespace {

Patch patch(std::uint64_t seed) {
  return reference::extract_patch(test::noise_image(kPatchSide, kPatchSide, seed).view(),
                                  {0, 0, kPatchSide, kPatchSide});
}

class NearestPatchesTest : public testing::TestWithParam<decltype(&reference::nearest_patches)> {};

INSTANTIATE_TEST_SUITE_P(Bodies, NearestPatchesTest,
                         testing::Values(reference::nearest_patches, vector::nearest_patches),
                         [](const auto& body) { return body.index == 0 ? "reference" : "vector"; });

TEST_P(NearestPatchesTest, OfNothingIsNothing) {
  const NearestPatches nearest = GetParam()(patch(1), {}, 0, {});
  EXPECT_EQ(nearest.positive, -1);
  EXPECT_EQ(nearest.conservative, -1);
  EXPECT_EQ(nearest.negative, -1);
  EXPECT_EQ(nearest.positive_index, -1);
  EXPECT_EQ(nearest.negative_index, -1);
}

TEST_P(NearestPatchesTest, FindsThePatchItself) {
  const std::vector<Patch> positives = {patch(1), patch(2), patch(3), patch(3)};
  const std::vector<Patch> negatives = {patch(7), patch(8), patch(9)};
  const NearestPatches nearest = GetParam()(patch(3), positives, 2, negatives);
  EXPECT_FLOAT_EQ(nearest.positive, 1);
  EXPECT_EQ(nearest.positive_index, 2) << "the first of equals";
  EXPECT_LT(nearest.conservative, 0.8f) << "not among the first two";
  EXPECT_FLOAT_EQ(GetParam()(patch(8), positives, 2, negatives).negative, 1);
  EXPECT_EQ(GetParam()(patch(8), positives, 2, negatives).negative_index, 1);
}

TEST_P(NearestPatchesTest, IsTheMaximumOfTheSimilarities) {
  std::vector<Patch> positives, negatives;
  for (std::uint64_t i = 0; i < 17; ++i) positives.push_back(patch(100 + i));
  for (std::uint64_t i = 0; i < 23; ++i) negatives.push_back(patch(200 + i));
  const Patch query = patch(5);
  const auto best = [&](const std::vector<Patch>& patches, std::size_t count) {
    float result = -1;
    for (std::size_t i = 0; i < count; ++i) {
      result = std::max(result, 0.5f * (reference::ncc(query, patches[i]) + 1));
    }
    return result;
  };
  const NearestPatches nearest = GetParam()(query, positives, 9, negatives);
  EXPECT_EQ(nearest.positive, best(positives, 17));
  EXPECT_EQ(nearest.conservative, best(positives, 9));
  EXPECT_EQ(nearest.negative, best(negatives, 23));
}

}  // namespace
}  // namespace cltrack
