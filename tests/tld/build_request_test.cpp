// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/build_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/errors.h"

namespace cltrack {
namespace {

using testing::HasSubstr;

BuildRequest request() {
  BuildRequest request;
  request.config.ferns = 7;
  request.config.pairs = 11;
  request.config.max_candidates = 33;
  request.config.max_positive_patches = 44;
  request.config.max_negative_patches = 55;
  request.config.flow_points = 6;
  request.config.flow_window_min = 5;
  request.config.flow_window_max = 21;
  request.config.flow_levels = 3;
  const std::vector<DeviceInfo> devices = list_devices();
  for (const Stage stage : kTldStages) {
    // The host, and a device where there is one.
    const bool automatic = stage != Stage::nn;
    request.placement.push_back({.stage = stage,
                                 .requested = {},
                                 .automatic = automatic,
                                 .device = automatic ? devices.back() : devices.front()});
  }
  return request;
}

TEST(BuildRequest, ComesOutOfItsArgumentsAsItWas) {
  const BuildRequest sent = request(), got = from_arguments(to_arguments(sent));
  EXPECT_EQ(to_arguments(got), to_arguments(sent));
  EXPECT_EQ(got.config.ferns, 7);
  EXPECT_EQ(got.config.flow_window_max, 21);
  ASSERT_EQ(got.placement.size(), sent.placement.size());
  for (std::size_t i = 0; i < got.placement.size(); ++i) {
    EXPECT_EQ(got.placement[i].stage, sent.placement[i].stage);
    EXPECT_EQ(got.placement[i].automatic, sent.placement[i].automatic);
    EXPECT_EQ(got.placement[i].device.spec, sent.placement[i].device.spec);
  }
}

TEST(BuildRequest, IsOfThisVersionAndKnown) {
  const std::vector<std::string> good = to_arguments(request());
  const auto error_with = [&](std::size_t index, const std::string& argument) {
    std::vector<std::string> bad = good;
    bad[index] = argument;
    return test::error_of([&] { from_arguments(bad); });
  };
  EXPECT_EQ(error_with(0, "version=0.0.0").code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error_with(0, "version=0.0.0").what(), HasSubstr("version=0.0.0"));
  for (const char* bad : {"", "ferns", "ferns=", "ferns=many", "ferns=1000", "birds=7"}) {
    EXPECT_EQ(error_with(1, bad).code(), ErrorCode::invalid_argument) << bad;
  }
  EXPECT_EQ(error_with(good.size() - 1, "learn-device=auto 7.7 Abacus").code(),
            ErrorCode::device_missing);
  EXPECT_EQ(test::error_of([] { from_arguments({}); }).code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cltrack
