// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "test_data.h"

namespace cltrack::accuracy {
namespace {

const std::optional<BoundingBox> kNone;

// Overlaps of 1, 1/3 and 0 with the box at the origin.
const BoundingBox kBox{0, 0, 10, 10};
const BoundingBox kHalfOff{5, 0, 10, 10};
const BoundingBox kElsewhere{100, 100, 10, 10};

TEST(MetricsTest, PrecisionAndRecallCountDifferentFrames) {
  const Boxes truth{kBox, kBox, kBox, kNone, kNone};
  const Boxes reported{kBox, kElsewhere, kNone, kElsewhere, kNone};
  const Agreement result = agreement(truth, reported, 0.25f);
  EXPECT_DOUBLE_EQ(result.precision, 1.0 / 3);  // three boxes, one of them right
  EXPECT_DOUBLE_EQ(result.recall, 1.0 / 3);     // three frames with the target
  EXPECT_DOUBLE_EQ(result.f, 1.0 / 3);
}

TEST(MetricsTest, HarmonicMeanOfUnequalPrecisionAndRecall) {
  const Boxes truth{kBox, kBox, kBox, kBox};
  const Boxes reported{kBox, kNone, kNone, kNone};
  const Agreement result = agreement(truth, reported, 0.25f);
  EXPECT_DOUBLE_EQ(result.precision, 1.0);
  EXPECT_DOUBLE_EQ(result.recall, 0.25);
  EXPECT_DOUBLE_EQ(result.f, 0.4);
}

TEST(MetricsTest, OverlapMustExceedTheThreshold) {
  const Boxes truth{kBox};
  const Boxes reported{BoundingBox{0, 0, 5, 10}};  // overlap of exactly 0.5
  EXPECT_DOUBLE_EQ(agreement(truth, reported, 0.5f).recall, 0.0);
  EXPECT_DOUBLE_EQ(agreement(truth, reported, 0.25f).recall, 1.0);
}

TEST(MetricsTest, ThirdOfOverlapIsRightAt25AndWrongAt50) {
  const Scores scores = score(Boxes{kBox}, Boxes{kHalfOff});
  EXPECT_DOUBLE_EQ(scores.at25.f, 1.0);
  EXPECT_DOUBLE_EQ(scores.at50.f, 0.0);
}

TEST(MetricsTest, AucIsTheMeanOverTwentyOneThresholds) {
  // A perfect box exceeds all thresholds but 1; a third of overlap exceeds 0, 0.05 .. 0.3.
  EXPECT_DOUBLE_EQ(score(Boxes{kBox}, Boxes{kBox}).auc, 20.0 / 21);
  EXPECT_DOUBLE_EQ(score(Boxes{kBox}, Boxes{kHalfOff}).auc, 7.0 / 21);
  EXPECT_DOUBLE_EQ(score(Boxes{kBox, kBox}, Boxes{kBox, kNone}).auc, 10.0 / 21);
  EXPECT_DOUBLE_EQ(score(Boxes{kBox, kNone}, Boxes{kBox, kBox}).auc, 20.0 / 21);
}

TEST(MetricsTest, SuccessFallsWhereTheLimitReachesTheOverlap) {
  const Scores scores = score(Boxes{kBox, kBox, kBox, kNone}, Boxes{kBox, kHalfOff, kNone, kBox});
  EXPECT_DOUBLE_EQ(scores.success[0], 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.success[6], 2.0 / 3);  // 1/3 exceeds 0.3
  EXPECT_DOUBLE_EQ(scores.success[7], 1.0 / 3);  // and not 0.35
  EXPECT_DOUBLE_EQ(scores.success[19], 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores.success[20], 0);
}

TEST(MetricsTest, CentresAreNearFromTheirDistanceOn) {
  // 0 and 5 pixels off, out of reach, and on a frame without the target.
  const Scores scores =
      score(Boxes{kBox, kBox, kBox, kNone}, Boxes{kBox, kHalfOff, kElsewhere, kBox});
  EXPECT_DOUBLE_EQ(scores.near[0], 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores.near[4], 1.0 / 3);
  EXPECT_DOUBLE_EQ(scores.near[5], 2.0 / 3);
  EXPECT_DOUBLE_EQ(scores.near[50], 2.0 / 3);
}

TEST(MetricsTest, CentreErrorOfTwentyPixelsIsNear) {
  const Boxes truth{kBox, kBox, kBox, kBox};
  const Boxes reported{BoundingBox{12, 16, 10, 10}, BoundingBox{12, 16.5f, 10, 10},
                       BoundingBox{-15, -15, 40, 40}, kNone};
  EXPECT_DOUBLE_EQ(score(truth, reported).p20, 0.5);
}

TEST(MetricsTest, FalseBoxesAreAShareOfFramesWithoutTheTarget) {
  const Boxes truth{kBox, kNone, kNone, kNone, kNone};
  EXPECT_DOUBLE_EQ(score(truth, Boxes{kBox, kBox, kNone, kNone, kNone}).absent_fp, 0.25);
  EXPECT_TRUE(std::isnan(score(Boxes{kBox}, Boxes{kBox}).absent_fp));
}

TEST(MetricsTest, NothingReportedScoresZero) {
  const Scores scores = score(Boxes{kBox}, Boxes{kNone});
  EXPECT_EQ(scores.at25.precision, 0);
  EXPECT_EQ(scores.at25.recall, 0);
  EXPECT_EQ(scores.at25.f, 0);
  EXPECT_EQ(scores.auc, 0);
  EXPECT_EQ(scores.p20, 0);
}

TEST(MetricsTest, WithoutTheTargetThereIsNoRecall) {
  const Scores scores = score(Boxes{kNone}, Boxes{kBox});
  EXPECT_EQ(scores.at25.precision, 0);
  EXPECT_TRUE(std::isnan(scores.at25.recall));
  EXPECT_TRUE(std::isnan(scores.auc));
  EXPECT_EQ(scores.absent_fp, 1);
}

TEST(MetricsTest, PercentilesAreInterpolated) {
  EXPECT_DOUBLE_EQ(percentile({3, 1, 2}, 0.5), 2);
  EXPECT_DOUBLE_EQ(percentile({4, 1, 2, 3}, 0.5), 2.5);
  EXPECT_DOUBLE_EQ(percentile({0, 100}, 0.99), 99);
  EXPECT_DOUBLE_EQ(percentile({7}, 0.99), 7);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5)));
}

TEST(MetricsTest, DeviationIsThatOfASample) {
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector<double>{1, 3}), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(standard_deviation(std::vector<double>{5, 5, 5}), 0);
  EXPECT_TRUE(std::isnan(standard_deviation(std::vector<double>{5})));
}

TEST(MetricsTest, BootstrapHoldsTheMeanInItsInterval) {
  std::vector<double> values;
  for (int i = 0; i < 100; ++i) values.push_back(i % 2);
  const Interval interval = bootstrap(values);
  // A mean of 100 zeros and ones deviates by .05.
  EXPECT_NEAR(interval.low, 0.4, 0.02);
  EXPECT_NEAR(interval.high, 0.6, 0.02);
  EXPECT_DOUBLE_EQ(bootstrap(std::vector<double>{2, 2}).low, 2);
  EXPECT_TRUE(std::isnan(bootstrap(std::vector<double>{2}).high));
}

// What the TLD author's own result files score.
struct KnownAnswer {
  const char* sequence;
  double precision;
  double recall;
  double f;
};

class AuthorResultsTest : public testing::TestWithParam<KnownAnswer> {};

TEST_P(AuthorResultsTest, ScoreAsPublished) {
  const KnownAnswer& known = GetParam();
  const auto folder = real_data(std::string("tld/") + known.sequence);
  SKIP_WITHOUT_DATA(folder);
  const Sequence sequence = read_sequence_folder(folder).front();
  const Boxes reported = read_corners(folder / "author_tld1.txt");
  ASSERT_EQ(reported.size(), sequence.truth.size());
  const Agreement result = score(sequence.truth, reported).at25;
  EXPECT_NEAR(result.precision, known.precision, 0.005);
  EXPECT_NEAR(result.recall, known.recall, 0.005);
  EXPECT_NEAR(result.f, known.f, 0.005);
}

INSTANTIATE_TEST_SUITE_P(Tld, AuthorResultsTest,
                         testing::Values(KnownAnswer{"pedestrian1", 1, 1, 1},
                                         KnownAnswer{"pedestrian2", .89, .92, .91},
                                         KnownAnswer{"pedestrian3", .99, 1, .99},
                                         KnownAnswer{"car", .92, .97, .94},
                                         KnownAnswer{"panda", .58, .63, .60}),
                         [](const auto& test) { return std::string(test.param.sequence); });

TEST(AuthorPedestrianTest, Pedestrian1AtHalfShowsThatCornersBelongToTheBox) {
  const auto folder = real_data("tld/pedestrian1");
  SKIP_WITHOUT_DATA(folder);
  const Sequence sequence = read_sequence_folder(folder).front();
  const Boxes reported = read_corners(folder / "author_tld1.txt");
  EXPECT_NEAR(score(sequence.truth, reported).at50.f, .11, 0.005);
}

}  // namespace
}  // namespace cltrack::accuracy
