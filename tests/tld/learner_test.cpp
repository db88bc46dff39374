// SPDX-License-Identifier: LGPL-2.1-or-later
// What targets learn: ferns, their training, and the models of first frames.
#include "tld/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "ops/ferns/fern_tables.h"
#include "support/devices.h"
#include "support/tld_frame.h"
#include "tld/detector.h"
#include "tld/first_frame.h"
#include "tld/target_model.h"
#include "tld/training.h"

namespace cltrack {
namespace {

constexpr float kPositiveThreshold = 0.5f;

// Three targets that learn for some frames. What they shall have learnt is found window by window.
class LearnerTest : public test::DeviceTest {
 protected:
  struct Samples {
    std::vector<std::uint16_t> codes;
    std::vector<std::uint8_t> positive;
  };

  LearnerTest() {
    for (const BoundingBox& box :
         {BoundingBox{60, 42, 40, 30}, BoundingBox{5, 70, 31, 37}, BoundingBox{100, 8, 50, 41}}) {
      targets_.push_back(frame_.target(targets_.size() + 1, box, config_));
      all_.push_back(targets_.back().get());
    }
    bank_.update(all_);
    frame_.make(*queue_);
  }

  TrainingSet training_set(const Target& target, Random& random) const {
    const BoundingBox box = target.estimate()->box;
    std::vector<std::uint32_t> close = positive_windows(target.grid(), box, 10, config_);
    std::vector<FixedWarp> warps = random_warps(target.grid(), close, config_.update_warps, random);
    return {box, std::move(close), std::move(warps)};
  }

  void add_codes(const Target& target, std::uint32_t index, const FixedWarp& warp,
                 Samples& samples) const {
    const Window window = target.grid().window(index);
    const std::size_t first = samples.codes.size();
    samples.codes.resize(first + static_cast<std::size_t>(config_.ferns));
    reference::warped_fern_codes(frame_.planes.blurred.host_view(), window.x, window.y,
                                 target.model().ferns.pairs_for(window.width, window.height),
                                 config_.ferns, warp, samples.codes.data() + first);
  }

  void update(const Samples& samples, std::span<const std::uint32_t> order,
              FernTables& tables) const {
    for (int pass = 0; pass < config_.bootstrap; ++pass) {
      reference::update_ferns(
          tables, {samples.codes, samples.positive}, order,
          static_cast<std::uint32_t>(score_of(kPositiveThreshold, config_.ferns)),
          negative_score(config_.ferns));
    }
  }

  // Every candidate that is far from the box is learnt, whether it can change anything or not.
  void learn_all(std::size_t place, const TrainingSet& set, FernTables& tables) {
    const Target& target = *all_[place];
    Samples samples;
    for (const FixedWarp& warp : set.warps) {
      for (const std::uint32_t window : set.windows) add_codes(target, window, warp, samples);
    }
    samples.positive.resize(set.windows.size() * set.warps.size(), 1);
    const ScanJob job = bank_.windows().jobs.host_read()[place];
    for (const Candidate& candidate : detector_.candidates().host_view().windows) {
      if (candidate.window < job.first || candidate.window >= job.first + job.count) continue;
      const std::uint32_t window = candidate.window - job.first;
      if (overlap(set.box, target.grid().window(window).box()) >= config_.negative_overlap) {
        continue;
      }
      add_codes(target, window, fixed_warp({}), samples);
      samples.positive.push_back(0);
    }
    std::vector<std::uint32_t> places(samples.positive.size()), order(places.size());
    std::iota(places.begin(), places.end(), 0u);
    reference::order_samples(places, static_cast<std::uint32_t>(places.size()), kTrainingBlocks,
                             order);
    update(samples, order, tables);
  }

  // A few windows from elsewhere are learnt as the target: something more to get wrong.
  void confuse(const Target& target, Random& random, FernTables& tables) const {
    Samples samples;
    for (int i = 0; i < 40; ++i) {
      add_codes(target, random.below(target.grid().size()), fixed_warp({}), samples);
    }
    samples.positive.resize(40, 1);
    std::vector<std::uint32_t> order(40);
    std::iota(order.begin(), order.end(), 0u);
    update(samples, order, tables);
  }

  TldConfig config_;
  test::TldFrame frame_{test::noise_image(160, 120, 6)};
  std::vector<std::unique_ptr<Target>> targets_;
  std::vector<Target*> all_;
  TargetBank bank_{config_};
  Detector detector_{config_};
  Learner learner_;
};

// A negative that cannot be learnt changes nothing whether it is left out or not.
TEST_P(LearnerTest, LearnsAsIfItLookedAtEveryFarWindow) {
  Random chance(9), pictures(11);
  std::vector<FernTables> expected;
  for (const Target* target : all_) expected.push_back(target->model().ferns.tables());
  std::ptrdiff_t negatives = 0;
  for (int round = 0; round < 4; ++round) {
    detector_.scan(*queue_, frame_.planes, bank_);
    std::vector<TrainingSet> sets;
    std::vector<Training> trainings;
    for (const Target* target : all_) sets.push_back(training_set(*target, pictures));
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (round == 2 && i == 1) continue;  // not all of them on every frame
      trainings.push_back({i, &sets[i], kPositiveThreshold});
      learn_all(i, sets[i], expected[i]);
    }
    ASSERT_TRUE(detector_.make_room());
    learner_.train(*queue_, trainings, frame_.planes, detector_.candidates(),
                   detector_.candidates_of_targets(), bank_, config_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      FernTables got;
      bank_.tables().read(bank_.table_slot(i), got);
      ASSERT_EQ(got.counts, expected[i].counts) << round << ", target " << i;
      ASSERT_EQ(got.posteriors, expected[i].posteriors) << round << ", target " << i;
      negatives +=
          std::ranges::count_if(expected[i].counts, [](auto n) { return n.negatives > 0; });
      confuse(*all_[i], chance, expected[i]);
      bank_.tables().assign(bank_.table_slot(i), expected[i]);
    }
  }
  EXPECT_GT(negatives, 30);
}

TEST_P(LearnerTest, NothingIsLearntFromNothing) {
  detector_.scan(*queue_, frame_.planes, bank_);
  learner_.train(*queue_, {}, frame_.planes, detector_.candidates(), {}, bank_, config_);
  FernTables got;
  bank_.tables().read(bank_.table_slot(0), got);
  EXPECT_EQ(got, all_[0]->model().ferns.tables());
}

CLTRACK_ON_EVERY_DEVICE(LearnerTest);

class TrainingTest : public testing::Test {
 protected:
  TldConfig config_;
  ScanGrid grid_{40, 30, 160, 120, config_};
};

TEST_F(TrainingTest, PositiveWindowsAreTheClosest) {
  const BoundingBox box{50, 40, 41, 31};
  const auto all = grid_.overlapping(box, config_.positive_overlap);
  ASSERT_GT(all.size(), 10u);
  const auto windows = positive_windows(grid_, box, 10, config_);
  ASSERT_EQ(windows.size(), 10u);
  for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_EQ(windows[i], all[i].window);
}

TEST_F(TrainingTest, WithoutCloseWindowsTheBestOneRemains) {
  const BoundingBox tiny{50, 40, 8, 6};
  EXPECT_EQ(positive_windows(grid_, tiny, 10, config_).size(), 1u);
  EXPECT_TRUE(positive_windows(grid_, {500, 500, 40, 30}, 10, config_).empty());
}

TEST_F(TrainingTest, TheFirstWarpIsThePictureItself) {
  const std::vector<std::uint32_t> windows = {0, 7, 100};
  const WarpConfig config{.warps = 4};
  Random random(3);
  const std::vector<FixedWarp> warps = random_warps(grid_, windows, config, random);
  ASSERT_EQ(warps.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(warps[i].plain, i == 0) << i;
  EXPECT_NE(warps[1].seed, warps[2].seed);
  EXPECT_EQ(warps[1].center_x, warps[2].center_x) << "that of all windows together";
}

class FirstFrameTest : public testing::Test {
 protected:
  FirstFrame learn(std::uint64_t seed, const BoundingBox& box = {60, 42, 40, 30}) {
    const ScanGrid grid(box.width, box.height, 160, 120, config_);
    return learn_first_frame(box, grid, frame_.planes, config_, seed, *frame_.host);
  }

  TldConfig config_;
  test::TldFrame frame_{test::noise_image(160, 120, 6)};
};

TEST_F(FirstFrameTest, TheModelIsAValueThatTheSeedDecides) {
  const FirstFrame first = learn(5);
  const TargetModel copy = first.model;
  EXPECT_EQ(copy, learn(5).model);
  EXPECT_NE(copy, learn(6).model);
  TargetModel other = copy;
  other.random.bits();
  EXPECT_NE(copy, other);
  other = copy;
  other.ferns.tables().counts[0].negatives += 1;
  EXPECT_NE(copy, other);
}

TEST_F(FirstFrameTest, TheBoxIsTheClosestWindow) {
  const BoundingBox given{60.4f, 41.7f, 40, 30};
  const FirstFrame first = learn(5, given);
  const ScanGrid grid(given.width, given.height, 160, 120, config_);
  EXPECT_EQ(first.box, grid.window(grid.overlapping(given, 0)[0].window).box());
  EXPECT_EQ(first.model.width, given.width);
  EXPECT_EQ(first.model.height, given.height);
}

// Its windows may be far from the target: what is learnt is where the target is.
TEST_F(FirstFrameTest, InACoarseGridTheBoxStays) {
  config_.max_windows = 1000;
  const BoundingBox given{62, 43, 20, 16};
  ASSERT_TRUE(ScanGrid(given.width, given.height, 160, 120, config_).is_coarse());
  const FirstFrame first = learn(5, given);
  EXPECT_EQ(first.box, given);
  const Patch patch = reference::extract_patch(frame_.image.view(), given);
  EXPECT_TRUE(first.model.patches.similarity(patch).known_positive);
}

TEST_F(FirstFrameTest, ThresholdsAreAboveWhatIsFar) {
  const FirstFrame first = learn(5);
  const TargetModel& model = first.model;
  EXPECT_GE(model.fern_threshold, config_.fern_threshold);
  EXPECT_GE(model.nn_threshold, config_.nn_threshold);
  EXPECT_GE(model.nn_valid_threshold, model.nn_threshold);
  const Patch patch = reference::extract_patch(frame_.image.view(), first.box);
  EXPECT_FLOAT_EQ(model.minimum_variance, config_.variance_ratio * patch.variance());
  EXPECT_TRUE(model.patches.similarity(patch).known_positive);
  EXPECT_EQ(model.patches.positives().size(), 1u);
  EXPECT_GT(model.patches.negatives().size(), 0u);
}

TEST_F(FirstFrameTest, FernsKnowTheTarget) {
  const FirstFrame first = learn(5);
  const FernTables& tables = first.model.ferns.tables();
  std::vector<std::uint16_t> codes(static_cast<std::size_t>(tables.ferns));
  reference::fern_codes(frame_.planes.blurred.host_view(), static_cast<int>(first.box.x),
                        static_cast<int>(first.box.y), first.model.ferns.pairs_for(40, 30),
                        tables.ferns, codes.data());
  EXPECT_GT(static_cast<float>(PosteriorView(tables).score(codes.data())),
            score_of(0.9f, tables.ferns));
}

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

TEST(FernEnsemble, IsAValue) {
  Random a(1), b(1);
  FernEnsemble one({}, a);
  const FernEnsemble other({}, b);
  EXPECT_EQ(one, other);
  one.tables().counts[3].positives = 1;
  EXPECT_NE(one, other);
}

TEST(FernEnsemble, ScoresAreSumsOfPosteriors) {
  EXPECT_EQ(score_of(1, 10), 10 * kPosteriorOne);
  EXPECT_EQ(negative_score(10), 5 * kPosteriorOne);
}

}  // namespace
}  // namespace cltrack
