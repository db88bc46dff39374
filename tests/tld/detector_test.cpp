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
        detector_(ScanGrid(40, 30, 160, 120, config_), ferns_, config_, {}) {
    planes_.luma = image_.view();
    planes_.blur_on_host();
    planes_.integrate_on_host();
    taught_ = detector_.grid().overlapping({60, 42, 40, 30}, 0)[0].window;
    const Lesson lesson{.box = {}, .windows = {taught_}, .warps = {fixed_warp({})}};
    Learner(nullptr).teach_first(lesson, {}, planes_, detector_, config_, random_, ferns_);
    model_.learn_patches(extract_patch(planes_.luma, detector_.grid().window(taught_).box()), {},
                         0.65f, random_);
  }

  // All parts' candidates in one list.
  std::vector<Candidate> candidates() const {
    std::vector<Candidate> all;
    for (const CandidateList& part : detector_.candidates()) {
      all.insert(all.end(), part.windows.begin(), part.windows.end());
    }
    return all;
  }

  void detect() {
    detector_.enqueue_scan(planes_, ferns_);
    for (int i = 0; i < detector_.scan_parts(); ++i) detector_.scan_part(i, planes_);
    detector_.collect();
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
  const std::vector<Candidate> candidates = this->candidates();
  for (std::size_t i = 1; i < candidates.size(); ++i) {
    ASSERT_LT(candidates[i - 1].window, candidates[i].window);
  }
  EXPECT_GE(candidates.size(), detector_.detections().size());
}

TEST_F(DetectorTest, TheVarianceFilterRejects) {
  detector_.set_minimum_variance(1e5f);  // more than any picture has
  detect();
  EXPECT_TRUE(candidates().empty());
  EXPECT_TRUE(detector_.detections().empty());
  EXPECT_EQ(detector_.match_parts(), 0);
}

TEST_F(DetectorTest, ThePartsCoverEveryWindowOnce) {
  // With tables that know every code, every window is a candidate.
  for (std::uint16_t& posterior : ferns_.tables().posteriors.host_write()) {
    posterior = kPosteriorOne;
  }
  detect();
  const std::vector<Candidate> candidates = this->candidates();
  ASSERT_EQ(candidates.size(), detector_.grid().size());
  for (std::uint32_t i = 0; i < detector_.grid().size(); ++i) {
    ASSERT_EQ(candidates[i].window, i);
  }
  EXPECT_EQ(detector_.detections().size(), 100u) << "config.max_candidates";
}

}  // namespace
}  // namespace cltrack
