// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <numeric>
#include <vector>

#include "ops/ferns/fern_codes.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

class LearnerTest : public testing::Test {
 protected:
  LearnerTest()
      : image_(test::noise_image(160, 120, 6)),
        random_(3),
        ferns_(config_, random_),
        detector_(ScanGrid(40, 30, 160, 120, config_), ferns_, config_, {}) {
    planes_.luma = image_.view();
    planes_.blur_on_host();
    planes_.integrate_on_host();
  }

  // What the ferns would count if they were shown every candidate that is far from the box, whether
  // it can be learnt or not.
  void teach_all(const Lesson& lesson, FernEnsemble& ferns) {
    Queue& host = *host_;
    Array<std::uint32_t> windows(lesson.windows);
    Array<FixedWarp> warps(lesson.warps);
    const std::size_t positives = windows.size() * warps.size();
    LearnJob job = {};
    job.positives = static_cast<std::uint32_t>(positives);
    job.positive_score = ferns.score(0.5f);
    job.room = static_cast<std::uint32_t>(detector_.grid().size());
    FernSampleArrays samples;
    samples.assign(10, {&job, 1});
    CodeJob look = {};
    look.listed = static_cast<std::uint32_t>(windows.size());
    look.warps = static_cast<std::uint32_t>(warps.size());
    look.size_count = static_cast<int>(detector_.windows().sizes.size());
    fern_codes(host, planes_.device.blurred, detector_.windows(), windows, warps,
               Array<CodeJob>({&look, 1}), 10, samples.codes);
    auto codes = samples.codes.host_update().begin() + static_cast<std::ptrdiff_t>(10 * positives);
    std::size_t count = positives;
    for (const CandidateList& list : detector_.candidates()) {
      for (std::size_t i = 0; i < list.windows.size(); ++i) {
        const BoundingBox box = detector_.grid().window(list.windows[i].window).box();
        if (overlap(lesson.box, box) >= config_.negative_overlap) continue;
        codes = std::copy_n(list.codes.begin() + static_cast<std::ptrdiff_t>(10 * i), 10, codes);
        ++count;
      }
    }
    std::vector<std::uint32_t> places(count);
    std::iota(places.begin(), places.end(), 0u);
    samples.set_places(0, places, static_cast<std::uint32_t>(count));
    ferns.train(host, samples, config_.bootstrap);
  }

  void scan(FernEnsemble& ferns) {
    detector_.enqueue_scan(planes_, ferns);
    for (int i = 0; i < detector_.scan_parts(); ++i) detector_.scan_part(i, planes_);
  }

  TldConfig config_;
  test::PaddedImage image_;
  FramePlanes planes_;
  Random random_;
  FernEnsemble ferns_;
  Detector detector_;
  std::shared_ptr<Queue> host_ = Device::host()->make_queue();
};

class LearnerOnDevice : public LearnerTest, public testing::WithParamInterface<DeviceInfo> {
 protected:
  std::shared_ptr<Queue> queue_ = Device::open(GetParam())->make_queue();
};

TEST_F(LearnerTest, PositiveWindowsAreTheClosest) {
  const BoundingBox box{50, 40, 41, 31};
  const auto all = detector_.grid().overlapping(box, config_.positive_overlap);
  ASSERT_GT(all.size(), 10u);
  const auto windows = positive_windows(detector_.grid(), box, 10, config_);
  ASSERT_EQ(windows.size(), 10u);
  for (std::size_t i = 0; i < windows.size(); ++i) EXPECT_EQ(windows[i], all[i].window);
}

TEST_F(LearnerTest, WithoutCloseWindowsTheBestOneRemains) {
  const BoundingBox tiny{50, 40, 8, 6};
  EXPECT_EQ(positive_windows(detector_.grid(), tiny, 10, config_).size(), 1u);
  EXPECT_TRUE(positive_windows(detector_.grid(), {500, 500, 40, 30}, 10, config_).empty());
}

TEST_F(LearnerTest, TheFirstWarpIsThePictureItself) {
  const std::vector<std::uint32_t> windows = {0, 7, 100};
  const WarpConfig config{.warps = 4};
  const std::vector<FixedWarp> warps = random_warps(detector_.grid(), windows, config, random_);
  ASSERT_EQ(warps.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(warps[i].plain, i == 0) << i;
  EXPECT_NE(warps[1].seed, warps[2].seed);
  EXPECT_EQ(warps[1].center_x, warps[2].center_x) << "that of all windows together";
}

TEST_F(LearnerTest, ThresholdsComeFromTheMostConfidentWindow) {
  const std::vector<std::uint32_t> windows = {3, 5, 8, 13};
  Learner learner(nullptr);
  EXPECT_EQ(learner.highest_confidence(windows, planes_, detector_, ferns_), 0);
  EXPECT_EQ(learner.highest_confidence({}, planes_, detector_, ferns_), 0);
  const Lesson lesson{.box = {}, .windows = {8}, .warps = {fixed_warp({})}};
  learner.teach_first(lesson, {}, planes_, detector_, config_, random_, ferns_);
  EXPECT_EQ(learner.highest_confidence(windows, planes_, detector_, ferns_), 1);
}

// A negative that cannot be learnt changes nothing whether it is left out or not.
TEST_P(LearnerOnDevice, LearnsAsIfItLookedAtEveryFarWindow) {
  const BoundingBox box{50, 40, 40, 30};
  const std::vector<std::uint32_t> close = positive_windows(detector_.grid(), box, 10, config_);
  Random same(3), chance(9), pictures(11);
  FernEnsemble expected(config_, same);
  Learner learner(queue_), host(nullptr);
  std::size_t negatives = 0;
  for (int round = 0; round < 3; ++round) {
    scan(expected);
    const Lesson lesson{
        .box = box,
        .windows = close,
        .warps = random_warps(detector_.grid(), close, config_.update_warps, pictures)};
    teach_all(lesson, expected);
    learner.teach(lesson, planes_, detector_, config_, 0.5f, ferns_);
    // Something more to get wrong: a few windows from elsewhere are taught as the target.
    Lesson wrong{.box = {}, .windows = {}, .warps = {fixed_warp({})}};
    for (int i = 0; i < 40; ++i) wrong.windows.push_back(chance.below(detector_.grid().size()));
    for (FernEnsemble* ferns : {&expected, &ferns_}) {
      Random order(static_cast<std::uint64_t>(round));
      host.teach_first(wrong, {}, planes_, detector_, config_, order, *ferns);
    }
    FernTables got, all;
    ferns_.tables().read(0, got);
    expected.tables().read(0, all);
    ASSERT_EQ(got.positives, all.positives) << round;
    ASSERT_EQ(got.negatives, all.negatives) << round;
    ASSERT_EQ(got.posteriors, all.posteriors) << round;
    negatives += static_cast<std::size_t>(std::ranges::count_if(all.negatives, std::identity()));
  }
  EXPECT_GT(negatives, 10u);
}

TEST_P(LearnerOnDevice, WhatHasBeenLearntLeavesTheDevice) {
  const BoundingBox box{50, 40, 40, 30};
  const std::vector<std::uint32_t> close = positive_windows(detector_.grid(), box, 10, config_);
  const Lesson lesson{.box = box, .windows = close, .warps = {fixed_warp({})}};
  scan(ferns_);
  Learner(queue_).teach(lesson, planes_, detector_, config_, 0.5f, ferns_);
  ferns_.leave_devices();
  const TransferCount before = queue_->count();
  const auto counts = ferns_.tables().positives.host_read();
  EXPECT_GT(std::ranges::count_if(counts, std::identity()), 0);
  EXPECT_EQ(queue_->count(), before);
}

INSTANTIATE_TEST_SUITE_P(Devices, LearnerOnDevice, testing::ValuesIn(test::device_cases()),
                         test::device_case_name);

}  // namespace
}  // namespace cltrack
