// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/saved_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"

namespace cltrack {
namespace {

using ::testing::HasSubstr;

Patch patch_of(int value) {
  Patch patch;
  patch.pixels[0] = static_cast<std::int16_t>(value);
  patch.pixels[1] = static_cast<std::int16_t>(-value);
  patch.set_norm();
  return patch;
}

SavedTarget target(const TldConfig& config) {
  TargetModel model(40, 30, config, 3);
  model.minimum_variance = 12;
  model.fern_threshold = 0.6f;
  model.nn_threshold = 0.7f;
  model.nn_valid_threshold = 0.8f;
  const std::vector<Patch> positives = {patch_of(1), patch_of(2), patch_of(3)};
  const std::vector<Patch> negatives = {patch_of(4), patch_of(5), patch_of(6)};
  model.patches.restore(positives, negatives);
  FernTables tables = model.ferns.tables();
  tables.positives[5] = 2;
  tables.posteriors[5] = posterior(2, 0);
  return save_target(model, tables, 320, 240);
}

TEST(SavedTarget, TheModelIsTheSameAgain) {
  const TldConfig config;
  const SavedTarget saved = target(config);
  const TargetModel model = restore_model(saved, config, 9, 320, 240);
  EXPECT_EQ(save_target(model, model.ferns.tables(), 320, 240), saved);
  EXPECT_EQ(model.patches.positives().size(), 3u);
  EXPECT_EQ(model.ferns.tables().positives[5], 2);
  EXPECT_EQ(model.nn_valid_threshold, 0.8f);
}

TEST(SavedTarget, IsAsLargeAsTheFrames) {
  const TldConfig config;
  const SavedTarget saved = target(config);
  const TargetModel twice = restore_model(saved, config, 9, 640, 480);
  EXPECT_FLOAT_EQ(twice.width, 80);
  EXPECT_FLOAT_EQ(twice.height, 60);
  const TargetModel tiny = restore_model(saved, config, 9, 16, 8);
  EXPECT_FLOAT_EQ(tiny.width, 8);
  EXPECT_FLOAT_EQ(tiny.height, 8);
  const TargetModel wide = restore_model(saved, config, 9, 4000, 10);
  EXPECT_FLOAT_EQ(wide.height, 10);
}

TEST(SavedTarget, KeepsToTheLimitsOfTheTracker) {
  const SavedTarget saved = target({});
  TldConfig config;
  config.max_positive_patches = 2;
  config.max_negative_patches = 1;
  const TargetModel model = restore_model(saved, config, 9, 320, 240);
  EXPECT_THAT(model.patches.positives(), testing::ElementsAre(patch_of(1), patch_of(2)));
  EXPECT_THAT(model.patches.negatives(), testing::ElementsAre(patch_of(6)));
}

TEST(SavedTarget, OtherFernsAreRefused) {
  const SavedTarget saved = target({});
  check_ferns(saved, {});
  TldConfig config;
  config.pairs = 7;
  const Error error = test::error_of([&] { check_ferns(saved, config); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.what(), HasSubstr("10 ferns of 13 pairs"));
  EXPECT_THAT(error.what(), HasSubstr("10 ferns of 7 pairs"));
}

}  // namespace
}  // namespace cltrack
