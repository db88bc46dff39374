// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/first_frame.h"

#include <gtest/gtest.h>

#include "support/tld_frame.h"

namespace cltrack {
namespace {

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
  other.ferns.tables().negatives[0] += 1;
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

}  // namespace
}  // namespace cltrack
