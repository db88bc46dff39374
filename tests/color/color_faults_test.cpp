// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by colour on a device that fails: an error at once, nothing left behind.
#include <string>
#include <tuple>
#include <vector>

#include "cltrack/color_tracker.h"
#include "support/color_image.h"
#include "support/fault_sweep.h"

namespace cltrack {
namespace {

using Seen = std::vector<std::tuple<BoundingBox, std::uint64_t, std::size_t>>;

Seen track(int blobs) {
  ColorConfig config{.blobs = blobs, .trail = 3};
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const auto devices = open_devices(config);
  devices->wait();
  const auto tracker = make_color_tracker(config, devices);
  tracker->add(ColorModel::near(200, 20, 20, 30));
  Seen seen;
  for (int i = 0; i < 4; ++i) {
    test::ColorImage image(test::color_formats().back(), 64, 48);
    image.fill_box(10 + i, 20, 16, 12, {200, 20, 20});
    Frame frame;
    frame.color = image.picture();
    for (const Track& found : tracker->process(frame)) {
      const ColorExtent extent = found.extent.value_or(ColorExtent());
      seen.emplace_back(found.box, extent.area, extent.trail.size());
    }
  }
  return seen;
}

class ColorFaults : public testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(ColorFaults, OfAnyCallEndInOneError) {
  CLTRACK_NEEDS_OPENCL();
  const char* const kind = std::get<0>(GetParam());
  const int blobs = std::get<1>(GetParam());
  const Seen seen = test::expect_every_failure_told(kind, [&] { return track(blobs); });
  ASSERT_EQ(seen.size(), 4u);
  EXPECT_EQ(seen.back(), (std::tuple(BoundingBox{13, 20, 16, 12}, 192u, 3u)));
}

INSTANTIATE_TEST_SUITE_P(
    Devices, ColorFaults,
    testing::Combine(testing::Values(test::kFaultyCpu, test::kFaultyGpu), testing::Values(0, 1)),
    [](const auto& tested) {
      return std::string(std::get<0>(tested.param) == test::kFaultyCpu ? "cpu" : "gpu") +
             (std::get<1>(tested.param) == 0 ? "_sums" : "_blobs");
    });

}  // namespace
}  // namespace cltrack
