// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include "cltrack/error.h"
#include "ops/ferns/scan_windows.h"
#include "support/devices.h"
#include "support/scan_setup.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::ScanSetup;

class FernCodesOnDevice : public test::DeviceTest {
 protected:
  // Windows of all sizes through `warps`, behind 3 samples that are there already.
  void expect_equals_host(ScanSetup& setup, const std::vector<Warp>& warps,
                          std::size_t window_count) {
    ScanWindows windows;
    windows.assign(setup.sizes);
    std::vector<std::uint32_t> list;
    for (std::size_t i = 0; i < window_count; ++i)
      list.push_back(setup.random.below(setup.count()));
    std::vector<FixedWarp> fixed;
    for (const Warp& warp : warps) fixed.push_back(fixed_warp(warp));
    const int ferns = setup.tables.ferns;
    const auto per_sample = static_cast<std::size_t>(ferns);
    const std::size_t size = (3 + window_count * warps.size()) * per_sample;

    Plane plane;
    plane.borrow(setup.image.view());
    Array<std::uint32_t> window_list(list);
    Array<FixedWarp> warp_list(fixed);
    Array<std::uint16_t> codes;
    const test::Canary room(codes, size, *queue_);
    std::fill_n(codes.host_update().begin(), 3 * per_sample, std::uint16_t{12345});
    fern_codes(*queue_, plane, windows, window_list, warp_list, ferns, 3, codes);
    EXPECT_TRUE(room.is_intact());

    const auto got = codes.host_read();
    ASSERT_EQ(got.size(), size);
    for (std::size_t i = 0; i < 3 * per_sample; ++i)
      ASSERT_EQ(got[i], 12345) << "not to be touched";
    std::vector<std::uint16_t> expected(per_sample);
    std::size_t at = 3 * per_sample;
    for (const Warp& warp : warps) {
      for (const std::uint32_t window : list) {
        const BoundingBox box = windows.box(window);
        warped_fern_codes(setup.image.view(), static_cast<int>(box.x), static_cast<int>(box.y),
                          windows.size(windows.size_of(window)).pairs, ferns, warp,
                          expected.data());
        for (const std::uint16_t code : expected)
          ASSERT_EQ(got[at++], code) << box.x << "," << box.y;
      }
    }
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
    ScanSetup setup(noise_image(width, height, 11, padding), side, 10, 13);
    expect_equals_host(setup, warps_, 17);
  }
}

TEST_P(FernCodesOnDevice, OtherFerns) {
  for (const auto& [ferns, pairs] : {std::pair{16, 13}, {1, 1}, {3, 4}}) {
    ScanSetup setup(noise_image(80, 60, 2), 15, ferns, pairs);
    expect_equals_host(setup, warps_, 5);
  }
}

TEST_P(FernCodesOnDevice, ManyWindowsAsTheyAre) {
  ScanSetup setup(noise_image(160, 120, 2), 15, 10, 13);
  expect_equals_host(setup, {Warp{}}, 2000);
  expect_equals_host(setup, {Warp{}}, 0);
}

TEST_P(FernCodesOnDevice, RejectsTooLittleRoom) {
  ScanSetup setup(noise_image(60, 60, 2), 15, 10, 13);
  ScanWindows windows;
  windows.assign(setup.sizes);
  Plane plane;
  plane.borrow(setup.image.view());
  Array<std::uint32_t> list(std::vector<std::uint32_t>{1, 2});
  Array<FixedWarp> warps(std::vector{fixed_warp({})});
  Array<std::uint16_t> codes(29);
  EXPECT_THROW(fern_codes(*queue_, plane, windows, list, warps, 10, 1, codes), Error);
}

CLTRACK_ON_EVERY_DEVICE(FernCodesOnDevice);

}  // namespace
}  // namespace cltrack
