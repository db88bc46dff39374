// SPDX-License-Identifier: LGPL-2.1-or-later
// A tracker on devices that the user has named, which fail: an error at once, nothing left behind.
#include "support/faults.h"

#include <gmock/gmock.h>

#include <memory>
#include <string>
#include <vector>

#include "compute/cl_functions.h"
#include "compute/device.h"
#include "core/error.h"
#include "support/scene.h"
#include "tld/tld_tracker.h"

namespace cltrack {
namespace {

using test::Faults;
using testing::HasSubstr;

constexpr int kFrames = 6;
// How devices are used depends on what they are.
const char* const kCpu = "CL_DEVICE_TYPE=2,CL_DEVICE_HOST_UNIFIED_MEMORY=1";
const char* const kGpu = "CL_DEVICE_TYPE=4,CL_DEVICE_HOST_UNIFIED_MEMORY=0";

std::vector<BoundingBox> track() {
  test::Scene scene(160, 120);
  TldConfig config{.seed = 5, .threads = 2};
  config.placement.device = "0.0";
  // Nothing else calls OpenCL while frames are processed.
  const auto devices = std::make_shared<TldDevices>(config);
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

#define CLTRACK_NAME(name, ...) #name,
#define CLTRACK_CREATE_NAME(type, name, ...) #name,
constexpr const char* kFunctions[] = {CLTRACK_OPENCL_FUNCTIONS(CLTRACK_NAME, CLTRACK_CREATE_NAME)};

class TldFaults : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { CLTRACK_NEEDS_OPENCL(); }

  const std::string kind_ = GetParam();
};

// Every function that a tracker uses fails at the first, in the middle and at the last of its
// calls, and from then on.
TEST_P(TldFaults, OfAnyCallEndInOneError) {
  Faults faults(kind_);
  track();  // whatever is compiled once
  faults.set(kind_);
  const std::vector<BoundingBox> expected = track();
  ASSERT_EQ(expected.size(), static_cast<std::size_t>(kFrames));
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
        // What only closes or describes may fail without harm.
        EXPECT_EQ(track(), expected);
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
  EXPECT_EQ(track(), expected) << "a new beginning";
}

INSTANTIATE_TEST_SUITE_P(Devices, TldFaults, testing::Values(kCpu, kGpu),
                         [](const auto& kind) { return kind.param == kCpu ? "cpu" : "gpu"; });

}  // namespace
}  // namespace cltrack
