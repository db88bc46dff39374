// SPDX-License-Identifier: LGPL-2.1-or-later
// A tracker on devices that the user has named, which fail: an error at once, nothing left behind.
#include <memory>
#include <string>
#include <vector>

#include "cltrack/tld_tracker.h"
#include "compute/device.h"
#include "support/fault_sweep.h"
#include "support/scene.h"

namespace cltrack {
namespace {

constexpr int kFrames = 6;

std::vector<BoundingBox> track() {
  test::Scene scene(160, 120);
  TldConfig config{.seed = 5, .threads = 2};
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const auto devices = open_devices(config);
  devices->wait();
  const auto tracker = make_tld_tracker(config, devices);
  tracker->add({40, 30, 40, 40});
  std::vector<BoundingBox> boxes;
  for (int i = 0; i < kFrames; ++i) {
    const float x = 40 + static_cast<float>(i);
    for (const Track& found : tracker->process(scene.draw(BoundingBox{x, 30, 40, 40}))) {
      boxes.push_back(found.box);
    }
  }
  return boxes;
}

class TldFaults : public testing::TestWithParam<const char*> {};

TEST_P(TldFaults, OfAnyCallEndInOneError) {
  CLTRACK_NEEDS_OPENCL();
  const std::vector<BoundingBox> boxes = test::expect_every_failure_told(GetParam(), track);
  EXPECT_EQ(boxes.size(), static_cast<std::size_t>(kFrames));
}

INSTANTIATE_TEST_SUITE_P(Devices, TldFaults, testing::Values(test::kFaultyCpu, test::kFaultyGpu),
                         [](const auto& kind) {
                           return kind.param == test::kFaultyCpu ? "cpu" : "gpu";
                         });

}  // namespace
}  // namespace cltrack
