// SPDX-License-Identifier: LGPL-2.1-or-later
#include <gtest/gtest.h>

#include <cmath>

#include "ops/ferns/scan.h"
#include "support/devices.h"
#include "support/scan_setup.h"
#include "support/test_image.h"

namespace cltrack {
namespace {

using test::noise_image;
using test::PaddedImage;
using test::ScanSetup;

class ScanOnDevice : public test::DeviceTest {
 protected:
  CandidateList scanned(ScanSetup& setup, std::uint32_t minimum_score) {
    ScanWindows windows;
    windows.assign(setup.sizes);
    FernTableArrays tables;
    tables.assign(setup.tables);
    Plane plane;
    plane.borrow(setup.image.view());
    IntegralArrays integrals;
    integrate(*queue_, plane, integrals);
    CandidateArrays candidates;
    ScanScratch scratch;
    const auto ferns = static_cast<std::size_t>(setup.tables.ferns);
    const test::Canary room(candidates.windows, windows.count, *queue_);
    const test::Canary code_room(candidates.codes, windows.count * ferns, *queue_);
    const test::Canary count_room(candidates.count, 1, *queue_);
    scan(*queue_, plane, integrals, windows, tables, minimum_score, scratch, candidates);
    EXPECT_TRUE(room.is_intact());
    EXPECT_TRUE(code_room.is_intact());
    EXPECT_TRUE(count_room.is_intact());
    return test::list_of(candidates);
  }

  void expect_equals_host(ScanSetup& setup, std::uint32_t minimum_score) {
    EXPECT_EQ(scanned(setup, minimum_score), setup.expected(minimum_score))
        << setup.image.width() << "x" << setup.image.height() << " from " << minimum_score;
  }
};

TEST_P(ScanOnDevice, OddSizesAndStrides) {
  for (const auto& [width, height, side, padding] : {std::array{61, 47, 13, 0},
                                                     {64, 48, 15, 7},
                                                     {33, 29, 24, 1},
                                                     {46, 20, 15, 0},
                                                     {331, 61, 17, 13}}) {
    ScanSetup setup(noise_image(width, height, 11, padding), side, 10, 13);
    for (const std::uint32_t minimum : {0u, 1u, kPosteriorOne, 10 * kPosteriorOne}) {
      expect_equals_host(setup, minimum);
    }
  }
}

TEST_P(ScanOnDevice, OneWindow) {
  ScanSetup setup(noise_image(9, 7, 1), 9, 10, 13);
  ASSERT_EQ(setup.count(), 1u);
  expect_equals_host(setup, 0);
  expect_equals_host(setup, 11 * kPosteriorOne);
}

TEST_P(ScanOnDevice, FewerAndSmallerFerns) {
  for (const auto& [ferns, pairs] : {std::pair{3, 4}, {16, 8}}) {
    ScanSetup setup(noise_image(90, 47, 2), 15, ferns, pairs);
    expect_equals_host(setup, 0);
    expect_equals_host(setup, kPosteriorOne);
  }
}

TEST_P(ScanOnDevice, VarianceFilter) {
  // Flat parts, noise, and one value of variance that just passes.
  PaddedImage image = noise_image(300, 60, 4, 5);
  for (const int left : {0, 40, 100, 240}) {
    for (int y = 0; y < 60; ++y) {
      for (int x = left; x < left + 30; ++x) image.at(x, y) = 77;
    }
  }
  ScanSetup setup(image, 14, 10, 13);
  const std::size_t all = setup.expected(0).windows.size();
  setup.sizes[0].minimum_variance = 1;
  for (std::size_t i = 1; i < setup.sizes.size(); ++i) {
    const ScanSize& size = setup.sizes[i];
    setup.sizes[i].minimum_variance =
        scaled_variance(setup.integrals, size.xs[2], size.ys[1], size.width, size.height);
  }
  const CandidateList expected = setup.expected(0);
  EXPECT_LT(expected.windows.size(), all);
  EXPECT_FALSE(expected.windows.empty());
  expect_equals_host(setup, 0);
}

TEST_P(ScanOnDevice, SumsBeyond32Bits) {
  ScanSetup setup(
      PaddedImage(700, 600).fill([](int x, int y) { return (x / 350 + y / 300) % 2 ? 255 : 0; }),
      500, 10, 13);
  for (ScanSize& size : setup.sizes) {
    const auto area =
        static_cast<std::uint64_t>(size.width) * static_cast<std::uint64_t>(size.height);
    size.minimum_variance = area * area / 4 * 255 * 254;
  }
  expect_equals_host(setup, 0);
}

TEST_P(ScanOnDevice, NoWindows) {
  ScanSetup setup(noise_image(90, 47, 5), 15, 10, 13);
  setup.sizes.clear();
  EXPECT_TRUE(scanned(setup, 0).windows.empty());
}

TEST_P(ScanOnDevice, KeepsItsArraysFromFrameToFrame) {
  ScanSetup first(noise_image(90, 47, 5), 15, 10, 13);
  ScanSetup second(noise_image(90, 47, 6), 15, 10, 13);
  second.tables = first.tables;
  ScanWindows windows;
  windows.assign(first.sizes);
  FernTableArrays tables;
  tables.assign(first.tables);
  CandidateArrays candidates;
  ScanScratch scratch;
  for (ScanSetup* setup : {&first, &second, &first}) {
    Plane plane;
    plane.borrow(setup->image.view());
    IntegralArrays integrals;
    integrate(*queue_, plane, integrals);
    const std::uint64_t launches = queue_->count().launches;
    scan(*queue_, plane, integrals, windows, tables, kPosteriorOne, scratch, candidates);
    EXPECT_EQ(queue_->count().launches - launches, device_->is_host() ? 0u : 2u);
    EXPECT_EQ(test::list_of(candidates).windows,
              setup->expected(kPosteriorOne, first.sizes).windows);
  }
}

CLTRACK_ON_EVERY_DEVICE(ScanOnDevice);

}  // namespace
}  // namespace cltrack
