// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by colour on a device that fails: an error at once, nothing left behind.
#include <gmock/gmock.h>

#include <string>
#include <tuple>
#include <vector>

#include "color/color_devices.h"
#include "color/color_tracker.h"
#include "compute/cl_functions.h"
#include "core/error.h"
#include "support/color_image.h"
#include "support/faults.h"

namespace cltrack {
namespace {

using test::Faults;
using testing::HasSubstr;

// How devices are used depends on what they are.
const char* const kCpu = "CL_DEVICE_TYPE=2,CL_DEVICE_HOST_UNIFIED_MEMORY=1";
const char* const kGpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";

using Seen = std::vector<std::tuple<BoundingBox, std::uint64_t, std::size_t>>;

Seen track(int blobs) {
  ColorConfig config{.blobs = blobs, .trail = 3};
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const ColorDevices devices(config);
  devices.wait();
  const auto tracker = make_color_tracker(config);
  tracker->add_color(ColorModel::near(200, 20, 20, 30));
  Seen seen;
  for (int i = 0; i < 4; ++i) {
    test::ColorImage image(test::color_formats().back(), 64, 48);
    image.fill_box(10 + i, 20, 16, 12, {200, 20, 20});
    Frame frame;
    frame.color = image.picture();
    for (const Track& found : tracker->process(frame)) {
      seen.emplace_back(found.box, found.area, found.trail.size());
    }
  }
  return seen;
}

#define CLTRACK_NAME(name, ...) #name,
#define CLTRACK_CREATE_NAME(type, name, ...) #name,
constexpr const char* kFunctions[] = {CLTRACK_OPENCL_FUNCTIONS(CLTRACK_NAME, CLTRACK_CREATE_NAME)};

class ColorFaults : public testing::TestWithParam<std::tuple<const char*, int>> {
 protected:
  void SetUp() override {
    const Faults none;
    if (list_devices().size() < 2) {
      GTEST_SKIP() << "NO OPENCL DEVICE: there is none that could fail";
    }
  }

  const std::string kind_ = std::get<0>(GetParam());
  const int blobs_ = std::get<1>(GetParam());
};

// Every function that a tracker uses fails at the first, in the middle and at the last of its
// calls.
TEST_P(ColorFaults, OfAnyCallEndInOneError) {
  Faults faults(kind_);
  track(blobs_);  // whatever is compiled once
  faults.set(kind_);
  const Seen expected = track(blobs_);
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_EQ(expected.back(), (std::tuple(BoundingBox{13, 20, 16, 12}, 192u, 3u)));
  struct Used {
    std::string name;
    long calls;
  };
  std::vector<Used> used;
  for (const char* name : kFunctions) {
    const std::string_view text = name;
    if (text.starts_with("clRelease") || text.starts_with("clRetain")) continue;
    if (faults.calls(name) > 0) used.push_back({name, faults.calls(name)});
  }
  ASSERT_GT(used.size(), 10u);
  for (const auto& [name, calls] : used) {
    for (const long call : {1L, calls / 2, calls}) {
      if (call == 0) continue;
      faults.set(kind_ + "," + name + "@" + std::to_string(call) + "=-5");
      SCOPED_TRACE(name + "@" + std::to_string(call) + " of " + std::to_string(calls));
      try {
        // What only closes, describes or warms up may fail without harm.
        EXPECT_EQ(track(blobs_), expected);
      } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("0.0"));
      }
      EXPECT_GT(faults.failures(name.c_str()), 0);
      EXPECT_EQ(faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject"), 0);
      EXPECT_EQ(faults.alive("clCreateKernel", "clRetainKernel", "clReleaseKernel"), 0);
      EXPECT_EQ(faults.alive("clCreateContext", "clRetainContext", "clReleaseContext"), 0);
    }
  }
  faults.set(kind_);
  EXPECT_EQ(track(blobs_), expected) << "a new beginning";
}

INSTANTIATE_TEST_SUITE_P(Devices, ColorFaults,
                         testing::Combine(testing::Values(kCpu, kGpu), testing::Values(0, 1)),
                         [](const auto& tested) {
                           return std::string(std::get<0>(tested.param) == kCpu ? "cpu" : "gpu") +
                                  (std::get<1>(tested.param) == 0 ? "_sums" : "_blobs");
                         });

}  // namespace
}  // namespace cltrack
