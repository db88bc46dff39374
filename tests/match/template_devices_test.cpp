// SPDX-License-Identifier: LGPL-2.1-or-later
// Template matching on every device: the same boxes, also on frames for which there is less time.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "cltrack/template_tracker.h"
#include "cltrack/tracker_devices.h"
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

constexpr BoundingBox kStart = {100, 80, 48, 40};

BoundingBox moved(float x) { return {kStart.x + x, kStart.y, kStart.width, kStart.height}; }

class EffortRun {
 public:
  explicit EffortRun(const TemplateConfig& config) : tracker_(make_template_tracker(config)) {
    tracker_->add(kStart);
    step(kStart);
  }
  Track step(const std::optional<BoundingBox>& box, Effort effort = Effort::full) {
    Frame frame = scene_.draw(box, 40 * ++index_);
    frame.effort = effort;
    return tracker_->process(frame).front();
  }

 private:
  test::Scene scene_{320, 240, 3};
  std::unique_ptr<Tracker> tracker_;
  int index_ = 0;
};

class TemplateEffort : public testing::TestWithParam<DeviceInfo> {
 protected:
  void SetUp() override { config_.placement.device = GetParam().spec; }
  TemplateConfig config_;
};

TEST_P(TemplateEffort, TheSearchOfWholeFramesWaitsForTime) {
  for (const Effort effort : {Effort::near, Effort::motion}) {
    EffortRun run(config_);
    for (int i = 0; i < 20; ++i) run.step(std::nullopt, effort);
    for (int i = 0; i < 5; ++i) EXPECT_FALSE(run.step(moved(150), effort).has_box()) << i;
    const Track found = run.step(moved(150));
    EXPECT_TRUE(found.has_box());
    EXPECT_GT(overlap(found.box, moved(150)), 0.8f);
    EXPECT_GT(overlap(run.step(moved(152), effort).box, moved(152)), 0.8f) << "near its place";
  }
}

TEST_P(TemplateEffort, WholeFramesAreSearchedWhereThatIsAll) {
  config_.search = TemplateSearch::frame;
  EffortRun run(config_);
  EXPECT_GT(overlap(run.step(moved(150), Effort::motion).box, moved(150)), 0.8f);
}

INSTANTIATE_TEST_SUITE_P(Devices, TemplateEffort, testing::ValuesIn(test::devices()),
                         test::device_case_name);

}  // namespace
}  // namespace cltrack
