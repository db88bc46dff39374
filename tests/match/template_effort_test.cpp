// SPDX-License-Identifier: LGPL-2.1-or-later
// Template matching on frames for which there is less time.
#include <gtest/gtest.h>

#include <optional>

#include "cltrack/template_tracker.h"
#include "support/devices.h"
#include "support/scene.h"

namespace cltrack {
namespace {

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
