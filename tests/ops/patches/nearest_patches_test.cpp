// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/patches/nearest_patches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

Patch patch(std::uint64_t seed) {
  return reference::extract_patch(test::noise_image(kPatchSide, kPatchSide, seed).view(),
                                  {0, 0, kPatchSide, kPatchSide});
}

TEST(NearestPatches, OfNothingIsNothing) {
  const NearestPatches nearest = reference::nearest_patches(patch(1), {}, 0, {});
  EXPECT_EQ(nearest.positive, -1);
  EXPECT_EQ(nearest.conservative, -1);
  EXPECT_EQ(nearest.negative, -1);
  EXPECT_EQ(nearest.positive_index, -1);
  EXPECT_EQ(nearest.negative_index, -1);
}

TEST(NearestPatches, FindsThePatchItself) {
  const std::vector<Patch> positives = {patch(1), patch(2), patch(3), patch(3)};
  const std::vector<Patch> negatives = {patch(7), patch(8), patch(9)};
  const NearestPatches nearest = reference::nearest_patches(patch(3), positives, 2, negatives);
  EXPECT_FLOAT_EQ(nearest.positive, 1);
  EXPECT_EQ(nearest.positive_index, 2) << "the first of equals";
  EXPECT_LT(nearest.conservative, 0.8f) << "not among the first two";
  EXPECT_FLOAT_EQ(reference::nearest_patches(patch(8), positives, 2, negatives).negative, 1);
  EXPECT_EQ(reference::nearest_patches(patch(8), positives, 2, negatives).negative_index, 1);
}

TEST(NearestPatches, IsTheMaximumOfTheSimilarities) {
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
  const NearestPatches nearest = reference::nearest_patches(query, positives, 9, negatives);
  EXPECT_EQ(nearest.positive, best(positives, 17));
  EXPECT_EQ(nearest.conservative, best(positives, 9));
  EXPECT_EQ(nearest.negative, best(negatives, 23));
}

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
      result.push_back(reference::extract_patch(image.view(), {0, 0, kPatchSide, kPatchSide}));
      // Equal similarities: ties.
      if (random.below(5) == 0)
        result.back() = result[random.below(static_cast<std::uint32_t>(i + 1))];
    }
    return result;
  }

  struct Job {
    std::size_t queries, positives, conservative, negatives;
  };

  void check(const std::vector<Job>& jobs, std::size_t unused = 2) {
    SCOPED_TRACE(std::to_string(jobs.size()) + " jobs, the first of " +
                 std::to_string(jobs[0].queries) + " to " + std::to_string(jobs[0].positives) +
                 " and " + std::to_string(jobs[0].negatives));
    std::size_t queries_of_job = 0, columns = 0;
    for (const Job& job : jobs) {
      queries_of_job = std::max(queries_of_job, job.queries + unused);
      columns = std::max(columns, job.positives + job.negatives);
    }
    // Models lie in slots, each in two parts, in an order of their own.
    const std::size_t slot = columns + 3;
    std::vector<Patch> all = patches(jobs.size() * slot, 2);
    std::vector<Patch> asked = patches(jobs.size() * queries_of_job, 1);
    std::vector<PatchJob> models;
    std::vector<std::uint32_t> counts;
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const std::size_t first_negative = (jobs.size() - 1 - j) * slot;
      const std::size_t first_positive = first_negative + jobs[j].negatives + 1;
      for (std::size_t i = 0; i < std::min(jobs[j].queries, jobs[j].positives); i += 3) {
        asked[j * queries_of_job + i] = all[first_positive + i];
      }
      models.push_back({static_cast<int>(first_positive), static_cast<int>(jobs[j].positives),
                        static_cast<int>(jobs[j].conservative), static_cast<int>(first_negative),
                        static_cast<int>(jobs[j].negatives), 0});
      counts.push_back(static_cast<std::uint32_t>(jobs[j].queries));
    }
    const Array<Patch> query_array(asked), patch_array(all);
    const Array<std::uint32_t> count_array(counts);
    const Array<PatchJob> job_array(models);
    Array<float> similarities;
    Array<NearestPatches> nearest;
    const test::Canary room(similarities, asked.size() * columns, *queue_);
    const test::Canary result_room(nearest, asked.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    nearest_patches(*queue_, query_array, count_array, patch_array, job_array, similarities,
                    nearest);
    EXPECT_LE(queue_->count().launches - launches, 2u);
    EXPECT_TRUE(room.is_intact());
    EXPECT_TRUE(result_room.is_intact());
    const auto got = nearest.host_read();
    ASSERT_EQ(got.size(), asked.size());
    for (std::size_t j = 0; j < jobs.size(); ++j) {
      const auto part = [&](int first, std::size_t count) {
        return std::span<const Patch>(all).subspan(static_cast<std::size_t>(first), count);
      };
      for (std::size_t i = 0; i < jobs[j].queries; ++i) {
        const std::size_t q = j * queries_of_job + i;
        const NearestPatches expected = reference::nearest_patches(
            asked[q], part(models[j].first_positive, jobs[j].positives), jobs[j].conservative,
            part(models[j].first_negative, jobs[j].negatives));
        ASSERT_EQ(got[q].positive, expected.positive) << i << " of " << j;
        ASSERT_EQ(got[q].conservative, expected.conservative) << i << " of " << j;
        ASSERT_EQ(got[q].negative, expected.negative) << i << " of " << j;
        ASSERT_EQ(got[q].positive_index, expected.positive_index) << i << " of " << j;
        ASSERT_EQ(got[q].negative_index, expected.negative_index) << i << " of " << j;
      }
    }
  }

  void check(std::size_t queries, std::size_t positives, std::size_t conservative,
             std::size_t negatives) {
    check({{queries, positives, conservative, negatives}});
  }
};

TEST_P(NearestOnDevice, AnyNumberOfPatches) {
  for (const auto& [queries, positives, conservative, negatives] : {std::array{1, 1, 1, 1},
                                                                    {100, 20, 10, 180},
                                                                    {15, 17, 9, 16},
                                                                    {17, 33, 0, 65},
                                                                    {33, 200, 100, 64}}) {
    check(static_cast<std::size_t>(queries), static_cast<std::size_t>(positives),
          static_cast<std::size_t>(conservative), static_cast<std::size_t>(negatives));
  }
}

TEST_P(NearestOnDevice, NothingToCompareWith) {
  check(0, 10, 5, 10);
  check(10, 0, 0, 10);
  check(10, 10, 5, 0);
  check(10, 0, 0, 0);
  check(10, 3, 100, 3);
}

// On several threads, where the queue has them.
TEST_P(NearestOnDevice, SeveralJobs) {
  if (queue_->is_host()) queue_ = device_->make_queue(3);
  check({{3, 2, 1, 40}, {20, 17, 9, 5}});
  check({{16, 16, 8, 16}, {16, 16, 8, 16}}, 0);
  check({{0, 9, 5, 9},
         {33, 40, 20, 70},
         {1, 1, 1, 0},
         {17, 0, 0, 3},
         {16, 33, 17, 16},
         {5, 0, 0, 0},
         {40, 5, 90, 66}});
}

CLTRACK_ON_EVERY_DEVICE(NearestOnDevice);

}  // namespace
}  // namespace cltrack
