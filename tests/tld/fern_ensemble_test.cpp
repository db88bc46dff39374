// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/fern_ensemble.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <vector>

namespace cltrack {
namespace {

TEST(FernEnsemble, PairsAreAxisAlignedAndInsideTheWindow) {
  for (const int ferns : {1, 10, 16}) {
    TldConfig config;
    config.ferns = ferns;
    Random random(4);
    const FernEnsemble ensemble(config, random);
    const std::vector<PixelPair> pairs = ensemble.pairs_for(41, 23);
    ASSERT_EQ(std::ssize(pairs), ferns * 13);
    for (const PixelPair& pair : pairs) {
      ASSERT_TRUE(pair.x1 == pair.x2 || pair.y1 == pair.y2);
      for (const int x : {pair.x1, pair.x2}) ASSERT_TRUE(x >= 0 && x < 41);
      for (const int y : {pair.y1, pair.y2}) ASSERT_TRUE(y >= 0 && y < 23);
      // At least a tenth of the side: starting points are that far from the border.
      ASSERT_GE(std::abs(pair.x1 - pair.x2) * 23 + std::abs(pair.y1 - pair.y2) * 41, 2 * 23);
    }
  }
}

TEST(FernEnsemble, PairsScaleWithTheWindow) {
  Random random(4);
  const FernEnsemble ensemble({}, random);
  const auto small = ensemble.pairs_for(21, 21);
  const auto large = ensemble.pairs_for(41, 41);
  for (std::size_t i = 0; i < small.size(); ++i) {
    EXPECT_NEAR(large[i].x1, 2 * small[i].x1, 1);
    EXPECT_NEAR(large[i].y2, 2 * small[i].y2, 1);
  }
}

TEST(FernEnsemble, TheSeedDecides) {
  Random a(1), b(1), c(2);
  const auto same = [](const PixelPair& p, const PixelPair& q) {
    return p.x1 == q.x1 && p.y1 == q.y1 && p.x2 == q.x2 && p.y2 == q.y2;
  };
  const auto pa = FernEnsemble({}, a).pairs_for(50, 50);
  const auto pb = FernEnsemble({}, b).pairs_for(50, 50);
  const auto pc = FernEnsemble({}, c).pairs_for(50, 50);
  EXPECT_TRUE(std::equal(pa.begin(), pa.end(), pb.begin(), same));
  EXPECT_FALSE(std::equal(pa.begin(), pa.end(), pc.begin(), same));
}

std::vector<std::uint32_t> first_numbers(std::size_t count) {
  std::vector<std::uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0u);
  return numbers;
}

LearnJob job_of(const FernEnsemble& ensemble, std::uint32_t positives, std::uint32_t room) {
  LearnJob job = {};
  job.positives = positives;
  job.positive_score = ensemble.score(0.5f);
  job.room = room;
  return job;
}

class FernEnsembleTraining : public testing::Test {
 protected:
  std::shared_ptr<Queue> host_ = Device::host()->make_queue();
};

TEST_F(FernEnsembleTraining, LearnsToTellSamplesApart) {
  TldConfig config;
  Random random(4);
  FernEnsemble ensemble(config, random);
  // Positives have code 1 in every fern, negatives 2; 23 samples, not a multiple of ten.
  FernSampleArrays samples;
  const LearnJob job = job_of(ensemble, 12, 11);
  samples.assign(10, {&job, 1});
  const auto codes = samples.codes.host_write();
  std::ranges::fill(codes.first(120), std::uint16_t{1});
  std::ranges::fill(codes.subspan(120), std::uint16_t{2});
  samples.set_places(0, first_numbers(23), 23);
  ensemble.train(*host_, samples, 2);
  const std::vector<std::uint16_t> like_positive(10, 1), like_negative(10, 2), unknown(10, 3);
  EXPECT_FLOAT_EQ(ensemble.confidence(like_positive.data()), 1);
  EXPECT_EQ(ensemble.confidence(like_negative.data()), 0);
  EXPECT_EQ(ensemble.confidence(unknown.data()), 0);
}

TEST_F(FernEnsembleTraining, EverySampleIsVisited) {
  for (const std::size_t count : {1u, 9u, 10u, 11u, 19u, 99u, 101u}) {
    TldConfig config;
    config.ferns = 1;
    Random random(4);
    FernEnsemble ensemble(config, random);
    FernSampleArrays samples;
    const LearnJob job = job_of(ensemble, static_cast<std::uint32_t>(count), 0);
    samples.assign(1, {&job, 1});
    for (std::size_t i = 0; i < count; ++i) {
      samples.codes.host_update()[i] = static_cast<std::uint16_t>(i);
    }
    std::vector<std::uint32_t> places;  // every other one is empty
    for (const std::uint32_t i : first_numbers(count)) places.push_back(2 * i);
    samples.set_places(0, places, static_cast<std::uint32_t>(2 * count));
    ensemble.train(*host_, samples, 1);
    for (const std::uint16_t code : samples.codes.host_read()) {
      ASSERT_EQ(ensemble.confidence(&code), 1) << count;
    }
  }
}

}  // namespace
}  // namespace cltrack
