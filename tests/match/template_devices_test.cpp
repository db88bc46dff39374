// SPDX-License-Identifier: LGPL-2.1-or-later
// Where whole frames are searched: the same boxes on every device.
#include "cltrack/tracker_devices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cltrack/template_tracker.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/scene.h"

namespace cltrack {
namespace {

std::vector<Track> run(const TemplateConfig& config) {
  test::Scene scene(320, 240, 3);
  const auto tracker = make_template_tracker(config);
  tracker->add({100, 80, 48, 40});
  std::vector<Track> tracks;
  for (int i = 0; i < 12; ++i) {
    std::optional<BoundingBox> target = BoundingBox{100 + 3.0f * static_cast<float>(i), 80, 48, 40};
    if (i > 3 && i < 7) target.reset();  // searched for in the whole frame, and found there
    if (i >= 7) target->y = 170;
    tracks.push_back(tracker->process(scene.draw(target)).front());
  }
  return tracks;
}

TEST(TemplateDevices, TheSameBoxesOnEveryDevice) {
  for (const auto search : {TemplateSearch::window, TemplateSearch::frame}) {
    TemplateConfig config{.search = search};
    config.placement.device = "host";
    const auto expected = run(config);
    EXPECT_TRUE(expected.back().has_box());
    for (const DeviceInfo& device : test::devices()) {
      SCOPED_TRACE(device.spec);
      config.placement["match"] = device.spec;
      const auto tracks = run(config);
      for (std::size_t i = 0; i < tracks.size(); ++i) {
        EXPECT_EQ(tracks[i].box, expected[i].box) << i;
        EXPECT_EQ(tracks[i].confidence, expected[i].confidence) << i;
        EXPECT_EQ(tracks[i].state, expected[i].state) << i;
      }
    }
  }
}

TEST(TemplateDevices, SaysWhereAndBuildsAhead) {
  for (const DeviceInfo& device : test::devices()) {
    TemplateConfig config;
    config.placement["match"] = device.spec;
    const auto devices = open_devices(config);
    ASSERT_EQ(devices->stages().size(), 1u);
    EXPECT_EQ(devices->stages()[0].stage.name, "match");
    EXPECT_EQ(devices->stages()[0].device.spec, device.spec);
    devices->wait();
  }
}

TEST(TemplateDevices, AMissingDeviceIsAnErrorThatNamesTheProperty) {
  TemplateConfig config;
  config.placement["match"] = "a quantum computer";
  const Error error = test::error_of([&] { open_devices(config); });
  EXPECT_EQ(error.code(), ErrorCode::device_missing);
  EXPECT_THAT(error.what(), testing::HasSubstr("match-device"));
}

}  // namespace
}  // namespace cltrack
