// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <numeric>
#include <span>
#include <vector>

#include "ops/ferns/fern_tables.h"
#include "support/devices.h"
#include "support/tld_frame.h"
#include "tld/detector.h"

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
    learner_.train(*queue_, trainings, frame_.planes, detector_.candidates(), bank_, config_);
    for (std::size_t i = 0; i < all_.size(); ++i) {
      FernTables got;
      bank_.tables().read(bank_.table_slot(i), got);
      ASSERT_EQ(got.positives, expected[i].positives) << round << ", target " << i;
      ASSERT_EQ(got.negatives, expected[i].negatives) << round << ", target " << i;
      ASSERT_EQ(got.posteriors, expected[i].posteriors) << round << ", target " << i;
      negatives += std::ranges::count_if(expected[i].negatives, [](auto n) { return n > 0; });
      confuse(*all_[i], chance, expected[i]);
      bank_.tables().assign(bank_.table_slot(i), expected[i]);
    }
  }
  EXPECT_GT(negatives, 30);
}

TEST_P(LearnerTest, NothingIsLearntFromNothing) {
  detector_.scan(*queue_, frame_.planes, bank_);
  learner_.train(*queue_, {}, frame_.planes, detector_.candidates(), bank_, config_);
  FernTables got;
  bank_.tables().read(bank_.table_slot(0), got);
  EXPECT_EQ(got, all_[0]->model().ferns.tables());
}

CLTRACK_ON_EVERY_DEVICE(LearnerTest);

}  // namespace
}  // namespace cltrack
