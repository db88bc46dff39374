// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/candidate_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "build_programs/tracker_kinds.h"
#include "color/color_stages.h"
#include "match/template_stages.h"
#include "support/errors.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

using testing::HasSubstr;
using testing::IsSupersetOf;

BuildRequest request() {
  TldConfig config;
  config.ferns = 7;
  config.pairs = 11;
  config.max_candidates = 33;
  config.max_positive_patches = 44;
  config.max_negative_patches = 55;
  config.flow_points = 6;
  config.flow_window_min = 5;
  config.flow_window_max = 21;
  config.flow_levels = 3;
  config.scale_step = 1.1f;
  config.first_warps.angle = 1.0f / 3;
  config.learning = false;
  BuildRequest request{tld_kind(config), {}};
  const std::vector<DeviceInfo> devices = list_devices();
  for (const StageInfo& stage : kTldStages) {
    // The host, and a device where there is one.
    const bool automatic = stage.name != "nn";
    request.placement.push_back({.stage = stage,
                                 .automatic = automatic,
                                 .device = automatic ? devices.back() : devices.front()});
  }
  return request;
}

TEST(BuildRequest, ComesOutOfItsArgumentsAsItWas) {
  const BuildRequest sent = request();
  const BuildRequest got = from_arguments(to_arguments(sent), make_tracker_kind);
  EXPECT_EQ(to_arguments(got), to_arguments(sent));
  EXPECT_EQ(got.kind.name, "tld");
  const auto settings = got.kind.settings;
  EXPECT_THAT(settings, IsSupersetOf({"ferns=7", "flow_window_max=21", "scale_step=1.1",
                                      "learning=false", "first_warps.angle=0.33333334"}));
  ASSERT_EQ(got.placement.size(), sent.placement.size());
  for (std::size_t i = 0; i < got.placement.size(); ++i) {
    EXPECT_EQ(got.placement[i].stage, sent.placement[i].stage);
    EXPECT_EQ(got.placement[i].automatic, sent.placement[i].automatic);
    EXPECT_EQ(got.placement[i].device.spec, sent.placement[i].device.spec);
  }
}

TEST(BuildRequest, IsOfAnyTracker) {
  for (const TrackerKind& kind : {template_kind(TemplateConfig{}), color_kind(ColorConfig{})}) {
    const BuildRequest sent{kind, resolve({.device = "host"}, kind.stages)};
    const BuildRequest got = from_arguments(to_arguments(sent), make_tracker_kind);
    EXPECT_EQ(got.kind.name, kind.name);
    EXPECT_EQ(to_arguments(got), to_arguments(sent));
  }
}

TEST(BuildRequest, IsOfThisVersionAndKnown) {
  const std::vector<std::string> good = to_arguments(request());
  const auto error_with = [&](std::size_t index, const std::string& argument) {
    std::vector<std::string> bad = good;
    bad[index] = argument;
    return test::error_of([&] { from_arguments(bad, make_tracker_kind); });
  };
  EXPECT_EQ(error_with(0, "version=0.0.0").code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error_with(0, "version=0.0.0").what(), HasSubstr("version=0.0.0"));
  const auto ferns = static_cast<std::size_t>(std::ranges::find(good, "ferns=7") - good.begin());
  for (const char* bad : {"", "ferns", "ferns=", "ferns=many", "ferns=1000", "birds=7"}) {
    EXPECT_EQ(error_with(ferns, bad).code(), ErrorCode::invalid_argument) << bad;
  }
  for (const char* bad : {"", "tracker=", "tracker=birds", "tracker=color"}) {
    EXPECT_EQ(error_with(1, bad).code(), ErrorCode::invalid_argument) << bad;
  }
  EXPECT_EQ(error_with(good.size() - 1, "match-device=auto 0.0 Abacus").code(),
            ErrorCode::invalid_argument);
  EXPECT_EQ(error_with(good.size() - 1, "learn-device=auto 7.7 Abacus").code(),
            ErrorCode::device_missing);
  EXPECT_EQ(test::error_of([] { from_arguments({}, make_tracker_kind); }).code(),
            ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace cltrack
