// SPDX-License-Identifier: LGPL-2.1-or-later
#include "states.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace cltrack::accuracy {
namespace {

constexpr TrackState kTracking = TrackState::tracking;
constexpr TrackState kUncertain = TrackState::uncertain;
const std::optional<BoundingBox> kNone;
const Observation kLost;

// Overlaps of 1, 1/2, 1/4, 1/5 and 0 with the box at the origin.
const BoundingBox kBox{0, 0, 10, 10};
const BoundingBox kHalf{0, 0, 5, 10};
const BoundingBox kQuarter{0, 0, 5, 5};
const BoundingBox kFifth{0, 0, 5, 4};
const BoundingBox kElsewhere{100, 100, 10, 10};

StateCounts count(const Boxes& truth, const std::vector<Observation>& observed) {
  return count_states(truth, observed);
}

TEST(StatesTest, PrecisionIsThatOfTheFramesInAState) {
  const StateCounts counts = count({kBox, kBox, kBox, kBox, kNone, kBox}, {{kBox, 1, kTracking},
                                                                           {kQuarter, 1, kTracking},
                                                                           {kFifth, 1, kTracking},
                                                                           {kHalf, 1, kUncertain},
                                                                           {kBox, 1, kUncertain},
                                                                           kLost});
  EXPECT_DOUBLE_EQ(counts.tracking.precision(), 2.0 / 3);  // an overlap of 1/4 is enough
  EXPECT_DOUBLE_EQ(counts.uncertain.precision(),
                   1.0 / 2);  // without the target all boxes are wrong
}

TEST(StatesTest, TrackingShareIsOfTheFramesThatShowTheTarget) {
  const StateCounts counts =
      count({kBox, kBox, kBox, kBox, kNone, kNone}, {{kBox, 1, kTracking},
                                                     {kElsewhere, 1, kTracking},
                                                     {kBox, 1, kUncertain},
                                                     kLost,
                                                     {kBox, 1, kTracking},
                                                     kLost});
  EXPECT_DOUBLE_EQ(counts.tracking_share(), 2.0 / 4);
}

TEST(StatesTest, PresenceNeedsHalfOfOverlapAndSilence) {
  const StateCounts counts =
      count({kBox, kBox, kBox, kBox, kBox, kNone, kNone, kNone}, {{kBox, 1, kTracking},
                                                                  {kHalf, 1, kUncertain},
                                                                  {kQuarter, 1, kTracking},
                                                                  {kElsewhere, 1, kTracking},
                                                                  kLost,
                                                                  kLost,
                                                                  kLost,
                                                                  {kBox, 0, kUncertain}});
  EXPECT_DOUBLE_EQ(counts.true_positive_rate(), 2.0 / 5);
  EXPECT_DOUBLE_EQ(counts.true_negative_rate(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(counts.geometric_mean(), std::sqrt(4.0 / 15));
}

TEST(StatesTest, CalibrationErrorWeighsBinsByTheirBoxes) {
  const StateCounts counts =
      count({kBox, kBox, kBox, kNone, kBox}, {{kBox, 1, kTracking},
                                              {kElsewhere, 0.875f, kTracking},
                                              {kBox, 0.5f, kUncertain},
                                              {kBox, 0.25f, kUncertain},
                                              kLost});
  // |1 - 1| + |0.875 - 0| + |0.5 - 1| + |0.25 - 0|, over four boxes; the lost frame has none.
  EXPECT_DOUBLE_EQ(counts.calibration_error(), 1.625 / 4);
}

TEST(StatesTest, WithinABinErrorsCancel) {
  const StateCounts counts = count({kBox, kBox, kBox, kBox}, {{kBox, 0.75f, kTracking},
                                                              {kBox, 0.75f, kTracking},
                                                              {kBox, 0.75f, kTracking},
                                                              {kElsewhere, 0.75f, kTracking}});
  EXPECT_DOUBLE_EQ(counts.calibration_error(), 0);
  EXPECT_EQ(counts.bins[7].boxes, 4u);
  EXPECT_DOUBLE_EQ(counts.bins[7].right_share(), 0.75);
  EXPECT_DOUBLE_EQ(counts.bins[7].mean_confidence(), 0.75);
}

TEST(StatesTest, EveryConfidenceHasABin) {
  const auto bin_of = [](float confidence) {
    const StateCounts counts = count({kBox}, {{kBox, confidence, kTracking}});
    for (std::size_t i = 0; i < kConfidenceBins; ++i) {
      if (counts.bins[i].boxes == 1) return static_cast<int>(i);
    }
    return -1;
  };
  EXPECT_EQ(bin_of(0), 0);
  EXPECT_EQ(bin_of(0.0999f), 0);
  EXPECT_EQ(bin_of(0.1001f), 1);
  EXPECT_EQ(bin_of(0.5f), 5);
  EXPECT_EQ(bin_of(0.9999999f), 9);
  EXPECT_EQ(bin_of(1), 9);
  EXPECT_EQ(bin_of(7), 9);
  EXPECT_EQ(bin_of(-1), 0);
  EXPECT_EQ(bin_of(std::numeric_limits<float>::infinity()), 9);
  EXPECT_EQ(bin_of(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(StatesTest, RunsAreAddedFrameByFrame) {
  // 1 of 1 right at 0.75, 0 of 3 at 0.25: the sum is no mean of the two runs.
  StateCounts sum = count({kBox}, {{kBox, 0.75f, kTracking}});
  sum += count({kBox, kBox, kNone, kNone}, {{kElsewhere, 0.25f, kTracking},
                                            {kElsewhere, 0.25f, kUncertain},
                                            {kElsewhere, 0.25f, kTracking},
                                            kLost});
  EXPECT_DOUBLE_EQ(sum.tracking.precision(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(sum.uncertain.precision(), 0);
  EXPECT_DOUBLE_EQ(sum.tracking_share(), 2.0 / 3);
  EXPECT_DOUBLE_EQ(sum.calibration_error(), (0.25 + 0.75) / 4);
  EXPECT_DOUBLE_EQ(sum.true_positive_rate(), 1.0 / 3);
  EXPECT_DOUBLE_EQ(sum.true_negative_rate(), 1.0 / 2);
}

TEST(StatesTest, WhatHasNoFramesIsUndefined) {
  const StateCounts counts = count({kBox}, {kLost});
  EXPECT_TRUE(std::isnan(counts.tracking.precision()));
  EXPECT_TRUE(std::isnan(counts.uncertain.precision()));
  EXPECT_TRUE(std::isnan(counts.calibration_error()));
  EXPECT_TRUE(std::isnan(counts.true_negative_rate()));
  EXPECT_TRUE(std::isnan(counts.geometric_mean()));
  EXPECT_EQ(counts.tracking_share(), 0);
  EXPECT_EQ(counts.true_positive_rate(), 0);
}

}  // namespace
}  // namespace cltrack::accuracy
