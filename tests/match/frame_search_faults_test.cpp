// SPDX-License-Identifier: LGPL-2.1-or-later
// A search of a whole frame that fails: nothing of the caller's picture stays in use.
#include "match/frame_search.h"

#include <gtest/gtest.h>

#include <string>

#include "cltrack/error.h"
#include "support/fault_sweep.h"
#include "support/match_scenes.h"

namespace cltrack {
namespace {

long buffers(const test::Faults& faults) {
  return faults.alive("clCreateBuffer", "clRetainMemObject", "clReleaseMemObject");
}

// A device that works in the host's memory has a buffer on the picture itself.
TEST(FrameSearchFaults, LeaveNoBufferOnThePicture) {
  CLTRACK_NEEDS_OPENCL();
  test::Faults faults(test::kFaultyCpu);
  const auto device = Device::open(find_device("0.0"));
  const TemplateConfig config;
  const test::PaddedImage scene = test::textured_image(97, 71, 1, 7);
  const test::PaddedImage shown = test::cut_out(scene, 41, 23, 25, 19);
  {  // whatever is compiled once
    FrameSearch search(config, device->make_queue());
    MatchTemplate pattern(shown.view(), Similarity::ncc);
    search.best_place(scene.view(), pattern);
  }

  long maps = 0, kept = 0;
  {
    FrameSearch search(config, device->make_queue());
    MatchTemplate pattern(shown.view(), Similarity::ncc);
    faults.set(test::kFaultyCpu);
    const auto place = search.best_place(scene.view(), pattern);
    ASSERT_TRUE(place);
    EXPECT_EQ(place->x, 41);
    EXPECT_EQ(place->y, 23);
    maps = faults.calls("clEnqueueMapBuffer");
    kept = buffers(faults);
    ASSERT_GT(maps, 0);
  }
  FrameSearch search(config, device->make_queue());
  MatchTemplate pattern(shown.view(), Similarity::ncc);
  // The last thing that is mapped is the place that was found, behind all of the search.
  faults.set(std::string(test::kFaultyCpu) + ",clEnqueueMapBuffer@" + std::to_string(maps) + "-" +
             std::to_string(maps) + "=-5");
  EXPECT_THROW(search.best_place(scene.view(), pattern), Error);
  EXPECT_EQ(faults.failures("clEnqueueMapBuffer"), 1);
  EXPECT_EQ(buffers(faults), kept) << "as many as after a search that did not fail";
  EXPECT_EQ(search.best_place(scene.view(), pattern)->x, 41) << "another picture may follow";
}

}  // namespace
}  // namespace cltrack
