// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include "cltrack/error.h"
#include "ops/ferns/fern_codes.h"
#include "ops/ferns/scan_windows.h"
#include "support/devices.h"
#include "support/window_batch.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::ScanSetup;
using test::WindowBatch;

class FernCodesOnDevice : public test::DeviceTest {
 protected:
  // The windows and warps of the jobs of a call.
  struct Views {
    std::vector<std::uint32_t> list;
    std::vector<Warp> warps;
    std::vector<CodeJob> jobs;
    std::size_t samples = 0;

    // Random windows of a target, behind `gap` samples that are there already.
    void add(const WindowBatch::Target& target, std::span<const Warp> its_warps, std::size_t count,
             std::size_t gap, Random& random) {
      if (target.window_count == 0) count = 0;
      jobs.push_back({.first_listed = static_cast<std::uint32_t>(list.size()),
                      .listed = static_cast<std::uint32_t>(count),
                      .first_warp = static_cast<std::uint32_t>(warps.size()),
                      .warps = static_cast<std::uint32_t>(its_warps.size()),
                      .first_sample = static_cast<std::uint32_t>(samples + gap),
                      .first_size = target.first_size,
                      .size_count = target.size_count,
                      .frame = 0});
      for (std::size_t i = 0; i < count; ++i) {
        list.push_back(target.first_window + random.below(target.window_count));
      }
      warps.insert(warps.end(), its_warps.begin(), its_warps.end());
      samples += gap + count * its_warps.size();
    }
  };

  std::vector<std::uint16_t> run(WindowBatch& batch, const Views& views,
                                 const std::vector<CodeJob>& jobs, int ferns) {
    std::vector<FixedWarp> fixed;
    for (const Warp& warp : views.warps) fixed.push_back(fixed_warp(warp));
    Plane plane;
    plane.borrow(batch.image.view());
    const Array<std::uint32_t> list(views.list);
    const Array<FixedWarp> warps(fixed);
    const Array<CodeJob> job_array(jobs);
    Array<std::uint16_t> codes;
    const test::Canary room(codes, views.samples * static_cast<std::size_t>(ferns), *queue_);
    std::ranges::fill(codes.host_update(), kUntouched);
    fern_codes(*queue_, plane, batch.windows, list, warps, job_array, ferns, codes);
    EXPECT_TRUE(room.is_intact());
    const auto got = codes.host_read();
    return {got.begin(), got.end()};
  }

  static std::vector<std::uint16_t> expected_of(WindowBatch& batch, const Views& views,
                                                const std::vector<CodeJob>& jobs, int ferns) {
    const auto each = static_cast<std::size_t>(ferns);
    std::vector<std::uint16_t> expected(views.samples * each, kUntouched);
    for (const CodeJob& job : jobs) {
      std::uint16_t* own = expected.data() + job.first_sample * each;
      for (std::uint32_t w = job.first_warp; w < job.first_warp + job.warps; ++w) {
        for (std::uint32_t i = job.first_listed; i < job.first_listed + job.listed; ++i) {
          const BoundingBox box = batch.windows.box(views.list[i]);
          reference::warped_fern_codes(
              batch.image.view(), static_cast<int>(box.x), static_cast<int>(box.y),
              batch.windows.size(batch.windows.size_of(views.list[i])).pairs, ferns,
              fixed_warp(views.warps[w]), own);
          own += each;
        }
      }
    }
    return expected;
  }

  // Windows of all sizes of one target.
  void expect_equals_host(const test::PaddedImage& image, int side, int ferns, int pairs,
                          std::span<const Warp> warps, std::size_t window_count) {
    WindowBatch batch(image, std::array{side}, ferns, pairs);
    Views views;
    views.add(batch.targets[0], warps, window_count, 3, batch.targets[0].setup->random);
    EXPECT_EQ(run(batch, views, views.jobs, ferns), expected_of(batch, views, views.jobs, ferns));
  }

  static constexpr std::uint16_t kUntouched = 12345;
  const std::vector<Warp> warps_ = {
      {},
      {.center_x = 40.5f, .center_y = 22, .matrix = {0.98f, -0.17f, 0.17f, 0.98f}, .noise = 5},
      {.center_x = 40.5f, .center_y = 22, .shift_x = 1.3f, .shift_y = -0.7f, .seed = 99},
      {.noise = 50, .seed = 0xFFFFFFFF},
      {.matrix = {-1, 0, 0, -1}, .shift_x = 1000, .shift_y = -1000},
      {.center_x = -5.25f, .center_y = 300, .matrix = {0, 1.5f, -1.5f, 0}, .noise = 0.01f}};
};

TEST_P(FernCodesOnDevice, OddSizesAndStrides) {
  for (const auto& [width, height, side, padding] :
       {std::array{61, 47, 13, 0}, {64, 48, 15, 7}, {33, 29, 24, 1}, {331, 61, 17, 13}}) {
    expect_equals_host(noise_image(width, height, 11, padding), side, 10, 13, warps_, 17);
  }
}

TEST_P(FernCodesOnDevice, OtherFerns) {
  for (const auto& [ferns, pairs] : {std::pair{16, 13}, {1, 1}, {3, 4}}) {
    expect_equals_host(noise_image(80, 60, 2), 15, ferns, pairs, warps_, 5);
  }
}

TEST_P(FernCodesOnDevice, ManyWindowsAsTheyAre) {
  const std::array none = {Warp{}};
  expect_equals_host(noise_image(160, 120, 2), 15, 10, 13, none, 2000);
  expect_equals_host(noise_image(160, 120, 2), 15, 10, 13, none, 0);
}

TEST_P(FernCodesOnDevice, Batches) {
  for (const std::vector<int>& sides : test::batches_of_sides()) {
    SCOPED_TRACE(std::to_string(sides.size()) + " targets");
    WindowBatch batch(noise_image(97, 71, 5, 3), sides, 10, 13);
    Random random(9);
    Views views;
    for (std::size_t i = 0; i < batch.targets.size(); ++i) {
      const auto some = std::span(warps_).first(1 + i % warps_.size());
      views.add(batch.targets[i], some, 3 + 5 * i, i % 3, random);
    }
    const auto got = run(batch, views, views.jobs, 10);
    EXPECT_EQ(got, expected_of(batch, views, views.jobs, 10));
    // Each job alone.
    for (const CodeJob& job : views.jobs) {
      EXPECT_EQ(run(batch, views, {job}, 10), expected_of(batch, views, {job}, 10));
    }
  }
}

TEST_P(FernCodesOnDevice, NoJobs) {
  WindowBatch batch(noise_image(60, 60, 2), std::array{15}, 10, 13);
  Views views;
  views.samples = 2;
  EXPECT_EQ(run(batch, views, {}, 10), std::vector<std::uint16_t>(20, kUntouched));
}

TEST_P(FernCodesOnDevice, RejectsTooLittleRoom) {
  ScanSetup setup(noise_image(60, 60, 2), 15, 10, 13);
  ScanWindows windows;
  windows.assign(setup.sizes);
  Plane plane;
  plane.borrow(setup.image.view());
  const Array<std::uint32_t> list(std::vector<std::uint32_t>{1, 2});
  const Array<FixedWarp> warps(std::vector{fixed_warp({})});
  CodeJob job = {};
  job.listed = 2;
  job.warps = 1;
  job.size_count = 1;
  CodeJob last = job;
  last.first_sample = 1;
  const Array<CodeJob> jobs(std::vector{job, last});
  Array<std::uint16_t> codes(29);
  EXPECT_THROW(fern_codes(*queue_, plane, windows, list, warps, jobs, 10, codes), Error);
}

CLTRACK_ON_EVERY_DEVICE(FernCodesOnDevice);

}  // namespace
}  // namespace cltrack
