// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/detector.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/test_image.h"
#include "tld/learner.h"

namespace cltrack {
namespace {

// A detector taught one window of a noise picture.
class DetectorTest : public testing::Test {
 protected:
  DetectorTest()
      : image_(test::noise_image(160, 120, 6)),
        random_(3),
        ferns_(config_, random_),
        model_(config_),
        detector_(ScanGrid(40, 30, 160, 120, config_), ferns_, config_) {
    planes_.luma = image_.view();
    blur(planes_.luma, planes_.blurred, planes_.scratch);
    integrate(planes_.luma, planes_.integrals);
    taught_ = detector_.grid().overlapping({60, 42, 40, 30}, 0)[0].window;
    const std::vector<std::uint32_t> windows = {taught_};
    FernSampleList samples(10);
    add_negatives(detector_, 10, planes_, windows, samples);
    ferns_.train(samples.codes(), std::vector<std::uint8_t>{1}, 0.5f, 1);
    model_.learn(extract_patch(planes_.luma, detector_.grid().window(taught_).box()), {}, 0.65f,
                 random_);
  }

  void detect() {
    for (int i = 0; i < detector_.scan_parts(); ++i) {
      detector_.scan_part(i, planes_, ferns_.tables());
    }
    detector_.collect(ferns_.tables(), 0.5f);
    for (int i = 0; i < detector_.match_parts(); ++i) detector_.match_part(i, planes_, model_);
  }

  TldConfig config_;
  test::PaddedImage image_;
  FramePlanes planes_;
  Random random_;
  FernEnsemble ferns_;
  ObjectModel model_;
  Detector detector_;
  std::uint32_t taught_ = 0;
};

TEST_F(DetectorTest, FindsTheWindowItWasTaught) {
  detect();
  ASSERT_FALSE(detector_.detections().empty());
  const Detection& best = detector_.detections()[0];
  EXPECT_EQ(best.window, taught_);
  EXPECT_EQ(best.box, detector_.grid().window(taught_).box());
  EXPECT_TRUE(best.similarity.known_positive);
}

TEST_F(DetectorTest, CandidatesComeByRisingIndex) {
  detect();
  const auto& candidates = detector_.candidates();
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    ASSERT_LT(candidates[i - 1].window, candidates[i].window);
  }
  EXPECT_GE(candidates.size(), detector_.detections().size());
}

TEST_F(DetectorTest, TheVarianceFilterRejects) {
  detector_.set_minimum_variance(1e5f);  // more than any picture has
  detect();
  EXPECT_TRUE(detector_.candidates().empty());
  EXPECT_TRUE(detector_.detections().empty());
  EXPECT_EQ(detector_.match_parts(), 0);
}

TEST_F(DetectorTest, ThePartsCoverEveryWindowOnce) {
  // With tables that know every code, every window is a candidate.
  FernTables all(10, 13);
  for (std::uint16_t& posterior : all.posteriors) posterior = kPosteriorOne;
  for (int i = 0; i < detector_.scan_parts(); ++i) detector_.scan_part(i, planes_, all);
  detector_.collect(all, 0.5f);
  ASSERT_EQ(detector_.candidates().size(), detector_.grid().size());
  for (std::uint32_t i = 0; i < detector_.grid().size(); ++i) {
    ASSERT_EQ(detector_.candidates()[i].window, i);
  }
  EXPECT_EQ(detector_.detections().size(), 100u) << "config.max_candidates";
}

}  // namespace
}  // namespace cltrack
