// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/random.h"
#include "ops/filter/sample_windows.h"
#include "support/devices.h"
#include "support/errors.h"

namespace cltrack {
namespace {

class ResampleWindowsOnDevice : public test::DeviceTest {
 protected:
  // Each box out of each source.
  void expect_equals_reference(int sources, int source_side, const std::vector<BoundingBox>& boxes,
                               int side) {
    SCOPED_TRACE(std::to_string(source_side) + " to " + std::to_string(side));
    Random random(static_cast<std::uint64_t>(source_side));
    const auto source_area = static_cast<std::size_t>(source_side * source_side);
    std::vector<std::uint16_t> source(static_cast<std::size_t>(sources) * source_area);
    for (std::uint16_t& sample : source) sample = static_cast<std::uint16_t>(random.below(16321));
    std::vector<WindowJob> jobs;
    for (const BoundingBox& box : boxes) {
      for (int i = sources; i-- > 0;) jobs.push_back(resample_job(box, side, i));
    }
    const auto each = static_cast<std::size_t>(side * side);
    std::vector<std::uint16_t> expected(jobs.size() * each);
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const std::size_t first = static_cast<std::size_t>(jobs[i].frame) * source_area;
      reference::resample_window(std::span(source).subspan(first, source_area), source_side,
                                 jobs[i], side, std::span(expected).subspan(i * each, each));
    }
    Array<std::uint16_t> samples;
    const test::Canary canary(samples, expected.size(), *queue_);
    const std::uint64_t launches = queue_->count().launches;
    resample_windows(*queue_, Array<std::uint16_t>(source), source_side, Array<WindowJob>(jobs),
                     side, samples);
    EXPECT_EQ(queue_->count().launches - launches, queue_->is_host() || boxes.empty() ? 0u : 1u);
    EXPECT_TRUE(canary.is_intact());
    EXPECT_TRUE(std::ranges::equal(samples.host_read(), expected));
  }
};

TEST_P(ResampleWindowsOnDevice, AnySizeAndPlace) {
  const std::vector<BoundingBox> boxes = {{1, 2, 57.9f, 58},
                                          {-20.3f, 4.7f, 77.7f, 31},
                                          {50, 50, 4.5f, 9},
                                          {-90, -80, 20, 30},
                                          {-90, -60, 210, 220}};
  for (const int source_side : {1, 3, 80, 131}) {
    for (const int side : {7, 24, 33}) expect_equals_reference(3, source_side, boxes, side);
  }
}

TEST_P(ResampleWindowsOnDevice, NoWindows) { expect_equals_reference(2, 80, {}, 24); }

TEST_P(ResampleWindowsOnDevice, RejectsWhatAreNoWindows) {
  Array<std::uint16_t> samples;
  const auto code = [&](std::size_t size, int source_side, int side) {
    const Array<std::uint16_t> sources(size);
    return test::error_of(
               [&] { resample_windows(*queue_, sources, source_side, {}, side, samples); })
        .code();
  };
  for (const int side : {-1, 0, kMostSampleSide + 1}) {
    EXPECT_EQ(code(0, side, 24), ErrorCode::invalid_argument);
    EXPECT_EQ(code(0, 80, side), ErrorCode::invalid_argument);
  }
  EXPECT_EQ(code(80 * 80 + 1, 80, 24), ErrorCode::invalid_argument);
}

CLTRACK_ON_EVERY_DEVICE(ResampleWindowsOnDevice);

}  // namespace
}  // namespace cltrack
