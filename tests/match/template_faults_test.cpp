// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by template matching on a device that fails: an error at once, nothing left behind.
#include <tuple>
#include <vector>

#include "cltrack/template_tracker.h"
#include "support/fault_sweep.h"
#include "support/scene.h"

namespace cltrack {
namespace {

using Seen = std::vector<std::tuple<BoundingBox, float>>;

// With every frame searched whole, the device has work on each.
Seen track() {
  test::Scene scene(160, 120);
  TemplateConfig config{.search = TemplateSearch::frame};
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const auto devices = open_devices(config);
  devices->wait();
  const auto tracker = make_template_tracker(config, devices);
  tracker->add({40, 30, 40, 40});
  Seen seen;
  for (int i = 0; i < 4; ++i) {
    const float x = 40 + static_cast<float>(3 * i);
    for (const Track& found : tracker->process(scene.draw(BoundingBox{x, 30, 40, 40}))) {
      seen.emplace_back(found.box, found.confidence);
    }
  }
  return seen;
}

class TemplateFaults : public testing::TestWithParam<const char*> {};

TEST_P(TemplateFaults, OfAnyCallEndInOneError) {
  CLTRACK_NEEDS_OPENCL();
  const Seen seen = test::expect_every_failure_told(GetParam(), track);
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(std::get<0>(seen.back()), (BoundingBox{49, 30, 40, 40}));
}

INSTANTIATE_TEST_SUITE_P(Devices, TemplateFaults,
                         testing::Values(test::kFaultyCpu, test::kFaultyGpu), [](const auto& kind) {
                           return kind.param == test::kFaultyCpu ? "cpu" : "gpu";
                         });

}  // namespace
}  // namespace cltrack
