// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/ferns/fern_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "ops/ferns/scan_windows.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/window_batch.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;
using test::ScanSetup;
using test::WindowBatch;

using Codes = std::array<std::uint16_t, 10>;

std::vector<PixelPair> random_pairs(int count, int width, int height, std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int n) {
    return static_cast<std::int16_t>(random.below(static_cast<std::uint32_t>(n)));
  };
  std::vector<PixelPair> pairs;
  for (int i = 0; i < count; ++i) {
    pairs.push_back({below(width), below(height), below(width), below(height)});
  }
  return pairs;
}

TEST(FernCodes, HandComputed) {
  // Grows to the right, so a pair's bit is set where its first pixel is further right.
  const PaddedImage ramp = PaddedImage(20, 10, 3).fill([](int x, int) { return 10 * x; });
  const std::vector<PixelPair> pairs = {{5, 0, 2, 0}, {1, 1, 4, 1}, {3, 2, 3, 4},   // 1 0 0
                                        {0, 0, 1, 0}, {9, 5, 0, 0}, {2, 0, 1, 3}};  // 0 1 1
  std::array<std::uint16_t, 2> codes;
  reference::fern_codes(ramp.view(), 4, 2, pairs, 2, codes.data());
  EXPECT_EQ(codes, (std::array<std::uint16_t, 2>{0b100, 0b011}));
}

TEST(FernCodes, EqualPixelsGiveZero) {
  const PaddedImage flat = PaddedImage(20, 20).fill([](int, int) { return 200; });
  Codes codes;
  codes.fill(0xFFFF);
  reference::fern_codes(flat.view(), 0, 0, random_pairs(130, 20, 20, 1), 10, codes.data());
  for (const std::uint16_t code : codes) EXPECT_EQ(code, 0);
}

TEST(WarpedFernCodes, WithoutAWarpAreTheCodes) {
  const PaddedImage image = noise_image(61, 47, 5, 3);
  const std::vector<PixelPair> pairs = random_pairs(130, 24, 20, 2);
  for (const auto& [x, y] : {std::array{0, 0}, {37, 27}, {10, 3}}) {
    Codes expected, codes;
    reference::fern_codes(image.view(), x, y, pairs, 10, expected.data());
    reference::warped_fern_codes(image.view(), x, y, pairs, 10,
                                 fixed_warp({.center_x = 17.5f, .center_y = 9}), codes.data());
    EXPECT_EQ(codes, expected);
  }
}

TEST(WarpedFernCodes, AShiftReadsFromAnotherPlace) {
  const PaddedImage image = noise_image(61, 47, 5);
  const std::vector<PixelPair> pairs = random_pairs(130, 24, 20, 2);
  Codes expected, codes;
  reference::fern_codes(image.view(), 13, 9, pairs, 10, expected.data());
  reference::warped_fern_codes(image.view(), 10, 11, pairs, 10,
                               fixed_warp({.shift_x = 3, .shift_y = -2}), codes.data());
  EXPECT_EQ(codes, expected);
}

TEST(WarpedFernCodes, AHalfTurnReversesTheWindow) {
  const PaddedImage image = noise_image(41, 31, 8);
  std::vector<PixelPair> pairs = random_pairs(130, 21, 11, 3);
  Codes expected, codes;
  reference::warped_fern_codes(
      image.view(), 10, 10, pairs, 10,
      fixed_warp({.center_x = 20, .center_y = 15, .matrix = {-1, 0, 0, -1}}), codes.data());
  for (PixelPair& p : pairs) {
    p = {static_cast<std::int16_t>(20 - p.x1), static_cast<std::int16_t>(10 - p.y1),
         static_cast<std::int16_t>(20 - p.x2), static_cast<std::int16_t>(10 - p.y2)};
  }
  reference::fern_codes(image.view(), 10, 10, pairs, 10, expected.data());
  EXPECT_EQ(codes, expected);
}

TEST(WarpedFernCodes, LookBeyondTheImageSafely) {
  const PaddedImage image = noise_image(30, 30, 8);
  Codes codes;
  for (const float shift : {-1000.0f, 1000.0f}) {
    reference::warped_fern_codes(image.view(), 5, 5, random_pairs(130, 20, 20, 4), 10,
                                 fixed_warp({.shift_x = shift, .shift_y = -shift}), codes.data());
    for (const std::uint16_t code : codes) EXPECT_EQ(code, 0) << "all pixels are the corner's";
  }
}

TEST(WarpedFernCodes, NoiseDependsOnTheSeedAndHasTheRightSpread) {
  // On a flat picture a pair's bit is noise(a) > noise(b). Against a pixel that is d brighter the
  // share of set bits is P(n1 - n2 > d), n1 - n2 normal with standard deviation noise * sqrt 2.
  const PaddedImage image = PaddedImage(80, 80).fill([](int x, int) { return x < 40 ? 100 : 107; });
  std::vector<PixelPair> pairs;
  for (int i = 0; i < 130; ++i) {
    pairs.push_back({static_cast<std::int16_t>(i % 13), static_cast<std::int16_t>(i / 13),
                     static_cast<std::int16_t>(50 + i % 13), static_cast<std::int16_t>(i / 13)});
  }
  int set = 0, all = 0;
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    Codes codes;
    reference::warped_fern_codes(image.view(), 5, 5, pairs, 10,
                                 fixed_warp({.noise = 5, .seed = seed * 7919}), codes.data());
    for (const std::uint16_t code : codes) set += __builtin_popcount(code);
    all += 130;
  }
  const double expected = 0.5 * std::erfc(7.5 / (5 * std::sqrt(2.0)) / std::sqrt(2.0));
  EXPECT_NEAR(static_cast<double>(set) / all, expected, 0.025);

  Codes a, b, c;
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 1}),
                               a.data());
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 1}),
                               b.data());
  reference::warped_fern_codes(image.view(), 5, 5, pairs, 10, fixed_warp({.noise = 5, .seed = 2}),
                               c.data());
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

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

  void check(WindowBatch& batch, const Views& views, const std::vector<CodeJob>& jobs, int ferns) {
    std::vector<FixedWarp> warps;
    for (const Warp& warp : views.warps) warps.push_back(fixed_warp(warp));
    const auto each = static_cast<std::size_t>(ferns);
    const std::vector<std::uint16_t> before(views.samples * each, 12345);
    std::vector<std::uint16_t> expected = before;
    for (const CodeJob& job : jobs) {
      std::uint16_t* own = expected.data() + job.first_sample * each;
      for (std::uint32_t w = job.first_warp; w < job.first_warp + job.warps; ++w) {
        for (std::uint32_t i = job.first_listed; i < job.first_listed + job.listed; ++i) {
          const BoundingBox box = batch.windows.box(views.list[i]);
          reference::warped_fern_codes(
              batch.image.view(), static_cast<int>(box.x), static_cast<int>(box.y),
              batch.windows.size(batch.windows.size_of(views.list[i])).pairs, ferns, warps[w], own);
          own += each;
        }
      }
    }
    Plane plane;
    plane.borrow(batch.image.view());
    const auto op = [&](auto& codes) {
      fern_codes(*queue_, plane, batch.windows, Array<std::uint32_t>(views.list),
                 Array<FixedWarp>(warps), Array<CodeJob>(jobs), ferns, codes);
    };
    const bool is_nothing =
        std::ranges::all_of(jobs, [](const CodeJob& job) { return job.listed * job.warps == 0; });
    test::check_op(*queue_, is_nothing ? 0 : 1, op, test::Output{expected, before});
  }

  // Windows of all sizes of one target.
  void check(const PaddedImage& image, int side, int ferns, int pairs, std::span<const Warp> warps,
             std::size_t window_count) {
    WindowBatch batch(image, std::array{side}, ferns, pairs);
    Views views;
    views.add(batch.targets[0], warps, window_count, 3, batch.targets[0].setup->random);
    check(batch, views, views.jobs, ferns);
  }

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
    check(noise_image(width, height, 11, padding), side, 10, 13, warps_, 17);
  }
}

TEST_P(FernCodesOnDevice, OtherFerns) {
  for (const auto& [ferns, pairs] : {std::pair{16, 13}, {1, 1}, {3, 4}}) {
    check(noise_image(80, 60, 2), 15, ferns, pairs, warps_, 5);
  }
}

TEST_P(FernCodesOnDevice, ManyWindowsAsTheyAre) {
  const std::array none = {Warp{}};
  check(noise_image(160, 120, 2), 15, 10, 13, none, 2000);
  check(noise_image(160, 120, 2), 15, 10, 13, none, 0);
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
    check(batch, views, views.jobs, 10);
    // Each job alone.
    for (const CodeJob& job : views.jobs) check(batch, views, {job}, 10);
  }
}

TEST_P(FernCodesOnDevice, NoJobs) {
  WindowBatch batch(noise_image(60, 60, 2), std::array{15}, 10, 13);
  Views views;
  views.samples = 2;
  check(batch, views, {}, 10);
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
  test::expect_rejected([&] { fern_codes(*queue_, plane, windows, list, warps, jobs, 10, codes); });
}

CLTRACK_ON_EVERY_DEVICE(FernCodesOnDevice);

}  // namespace
}  // namespace cltrack
