// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/detector.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "support/devices.h"
#include "support/tld_frame.h"

namespace cltrack {
namespace {

// Targets of several sizes on a noise picture, which each find themselves.
class DetectorTest : public test::DeviceTest {
 protected:
  DetectorTest() {
    for (const BoundingBox& box :
         {BoundingBox{60, 42, 40, 30}, BoundingBox{5, 70, 31, 37}, BoundingBox{100, 8, 50, 41}}) {
      targets_.push_back(frame_.target(targets_.size() + 1, box, config_));
    }
    frame_.make(*queue_);
  }

  std::vector<std::vector<Detection>> detect(std::vector<Target*> targets) {
    TargetBank bank(config_);
    bank.update(targets);
    detector_.scan(*queue_, frame_.planes, bank);
    detector_.compare(*queue_, frame_.planes, bank);
    std::vector<std::vector<Detection>> all;
    const Detector::Found found = detector_.collect(bank);
    for (std::size_t i = 0; i < targets.size(); ++i) all.push_back(found.of(i, *targets[i]));
    return all;
  }

  TldConfig config_;
  test::TldFrame frame_{test::noise_image(160, 120, 6)};
  std::vector<std::unique_ptr<Target>> targets_;
  Detector detector_{config_};
};

TEST_P(DetectorTest, FindsTheWindowThatWasLearnt) {
  for (const auto& target : targets_) {
    const auto detections = detect({target.get()})[0];
    const auto found = std::ranges::find(detections, target->estimate()->box, &Detection::box);
    ASSERT_NE(found, detections.end());
    EXPECT_EQ(found->box, target->grid().window(found->window).box());
    EXPECT_TRUE(found->similarity.known_positive);
    EXPECT_LE(detections.size(), static_cast<std::size_t>(config_.max_candidates));
  }
}

TEST_P(DetectorTest, SeveralTargetsFindWhatEachFindsAlone) {
  const auto together = detect({targets_[0].get(), targets_[1].get(), targets_[2].get()});
  for (std::size_t t = 0; t < targets_.size(); ++t) {
    const auto alone = detect({targets_[t].get()})[0];
    ASSERT_EQ(together[t].size(), alone.size()) << t;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      EXPECT_EQ(together[t][i].window, alone[i].window);
      EXPECT_EQ(together[t][i].similarity.relative, alone[i].similarity.relative);
      EXPECT_EQ(together[t][i].similarity.conservative, alone[i].similarity.conservative);
      EXPECT_EQ(together[t][i].similarity.nearest.positive_index,
                alone[i].similarity.nearest.positive_index);
    }
  }
}

TEST_P(DetectorTest, TheVarianceFilterRejects) {
  targets_[1]->model().minimum_variance = 1e5f;  // more than any picture has
  const auto all = detect({targets_[0].get(), targets_[1].get()});
  EXPECT_FALSE(all[0].empty());
  EXPECT_TRUE(all[1].empty());
}

TEST_P(DetectorTest, NoMoreThanTheBestAreKept) {
  // With tables that know every code, every window is a candidate.
  for (std::uint16_t& posterior : targets_[0]->model().ferns.tables().posteriors) {
    posterior = kPosteriorOne;
  }
  targets_[0]->model().minimum_variance = 0;
  targets_[0]->model().fern_threshold = 0.5f;
  const auto all = detect({targets_[0].get(), targets_[2].get()});
  ASSERT_EQ(all[0].size(), static_cast<std::size_t>(config_.max_candidates));
  for (std::uint32_t i = 0; i < all[0].size(); ++i) EXPECT_EQ(all[0][i].window, i);
  EXPECT_EQ(detector_.candidates().host_view().windows[targets_[0]->grid().size() - 1].window,
            targets_[0]->grid().size() - 1);
}

CLTRACK_ON_EVERY_DEVICE(DetectorTest);

}  // namespace
}  // namespace cltrack
