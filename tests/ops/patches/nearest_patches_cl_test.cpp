// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <vector>

#include "ops/patches/nearest_patches.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

class NearestOnDevice : public test::DeviceTest {
 protected:
  static std::vector<Patch> patches(std::size_t count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Patch> result;
    for (std::size_t i = 0; i < count; ++i) {
      test::PaddedImage image(kPatchSide, kPatchSide);
      // Full contrast, low contrast, and flat.
      const std::uint32_t kind = random.below(8);
      image.fill([&](int, int) {
        return kind == 0 ? 93 : kind == 1 ? 255 * random.below(2) : 90 + random.below(1 << kind);
      });
      result.push_back(extract_patch(image.view(), {0, 0, kPatchSide, kPatchSide}));
      // Equal similarities: ties.
      if (random.below(5) == 0)
        result.back() = result[random.below(static_cast<std::uint32_t>(i + 1))];
    }
    return result;
  }

  void expect_equals_host(std::size_t queries, std::size_t positives, std::size_t conservative,
                          std::size_t negatives) {
    SCOPED_TRACE(std::to_string(queries) + " to " + std::to_string(positives) + " and " +
                 std::to_string(negatives));
    const std::vector<Patch> known = patches(positives, 2), other = patches(negatives, 3);
    std::vector<Patch> asked = patches(queries + 2, 1);  // two of them are not asked for
    for (std::size_t i = 0; i < std::min(queries, positives); i += 3) asked[i] = known[i];
    Array<Patch> query_array(asked), positive_array(known), negative_array(other);
    Array<std::uint32_t> count(1);
    count.host_write()[0] = static_cast<std::uint32_t>(queries);
    Array<float> similarities;
    Array<NearestPatches> nearest;
    const test::Canary room(similarities, asked.size() * (positives + negatives), *queue_);
    const test::Canary result_room(nearest, asked.size(), *queue_);
    nearest_patches(*queue_, query_array, count, positive_array, conservative, negative_array,
                    similarities, nearest);
    EXPECT_TRUE(room.is_intact());
    EXPECT_TRUE(result_room.is_intact());
    const auto got = nearest.host_read();
    ASSERT_EQ(got.size(), asked.size());
    for (std::size_t i = 0; i < queries; ++i) {
      const NearestPatches expected = nearest_patches(asked[i], known, conservative, other);
      ASSERT_EQ(got[i].positive, expected.positive) << i;
      ASSERT_EQ(got[i].conservative, expected.conservative) << i;
      ASSERT_EQ(got[i].negative, expected.negative) << i;
      ASSERT_EQ(got[i].positive_index, expected.positive_index) << i;
      ASSERT_EQ(got[i].negative_index, expected.negative_index) << i;
    }
  }
};

TEST_P(NearestOnDevice, AnyNumberOfPatches) {
  for (const auto& [queries, positives, conservative, negatives] : {std::array{1, 1, 1, 1},
                                                                    {100, 20, 10, 180},
                                                                    {15, 17, 9, 16},
                                                                    {17, 33, 0, 65},
                                                                    {33, 200, 100, 64}}) {
    expect_equals_host(static_cast<std::size_t>(queries), static_cast<std::size_t>(positives),
                       static_cast<std::size_t>(conservative), static_cast<std::size_t>(negatives));
  }
}

TEST_P(NearestOnDevice, NothingToCompareWith) {
  expect_equals_host(0, 10, 5, 10);
  expect_equals_host(10, 0, 0, 10);
  expect_equals_host(10, 10, 5, 0);
  expect_equals_host(10, 0, 0, 0);
  expect_equals_host(10, 3, 100, 3);
}

CLTRACK_ON_EVERY_DEVICE(NearestOnDevice);

}  // namespace
}  // namespace cltrack
