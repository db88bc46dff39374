// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "cltrack/error.h"

namespace cltrack {
namespace {

TEST(TldConfig, DefaultsAreValid) { EXPECT_NO_THROW(validate(TldConfig{})); }

void expect_refused(const std::function<void(TldConfig&)>& change, const char* name) {
  TldConfig config;
  change(config);
  try {
    validate(config);
    ADD_FAILURE() << name << " was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
    EXPECT_THAT(error.what(), testing::HasSubstr(name));
    EXPECT_THAT(error.what(), testing::HasSubstr("allowed: "));
  }
}

TEST(TldConfig, NamesWhatIsOutOfRange) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  expect_refused([](TldConfig& c) { c.threads = 0; }, "threads");
  expect_refused([](TldConfig& c) { c.max_targets = 0; }, "max_targets");
  expect_refused([](TldConfig& c) { c.max_targets = 4097; }, "max_targets");
  expect_refused([](TldConfig& c) { c.ferns = 17; }, "ferns");
  expect_refused([](TldConfig& c) { c.pairs = 14; }, "pairs");
  expect_refused([](TldConfig& c) { c.scale_step = 1; }, "scale_step");
  expect_refused([](TldConfig& c) { c.nn_threshold = nan; }, "nn_threshold");
  expect_refused([](TldConfig& c) { c.fern_threshold = -0.1f; }, "fern_threshold");
  expect_refused([](TldConfig& c) { c.max_positive_patches = 0; }, "max_positive_patches");
  expect_refused([](TldConfig& c) { c.flow_window_max = c.flow_window_min - 1; },
                 "flow_window_max");
  expect_refused([](TldConfig& c) { c.flow_window_max = 33; }, "flow_window_max");
  expect_refused([](TldConfig& c) { c.update_warps.warps = 0; }, "update_warps.warps");
  expect_refused([](TldConfig& c) { c.first_warps.angle = 181; }, "first_warps.angle");
}

}  // namespace
}  // namespace cltrack
