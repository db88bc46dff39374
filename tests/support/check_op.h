// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares an op with its plain body. On the host's queue the op runs its vector body, where it has
// one, and elsewhere its kernel: in a DeviceTest (support/devices.h) all of them are compared.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "cltrack/bounding_box.h"
#include "core/random.h"
#include "support/devices.h"
#include "support/test_image.h"

namespace cltrack::test {

// What an op has to leave in an array.
template <typename T>
struct Output {
  std::vector<T> expected;
  std::vector<T> before = {};  // what is there already, of ops that change it
};
template <typename T>
Output(std::vector<T>) -> Output<T>;
template <typename T>
Output(std::vector<T>, std::vector<T>) -> Output<T>;

// Also by their bits: structures are compared so. What is no number stays so, with any sign:
// devices differ in that, and nothing depends on it.
template <typename T>
void expect_same(std::span<const T> got, const std::vector<T>& expected) {
  const auto is_same = [](const T& a, const T& b) {
    if (std::memcmp(&a, &b, sizeof(T)) == 0) return true;
    if constexpr (std::floating_point<T>) {
      if (std::isnan(a) && std::isnan(b)) return true;
    }
    if constexpr (std::equality_comparable<T>) {
      return a == b;
    } else {
      return false;
    }
  };
  ASSERT_EQ(got.size(), expected.size());
  const auto [own, other] = std::ranges::mismatch(got, expected, is_same);
  if (own == got.end()) return;
  ADD_FAILURE() << "element " << own - got.begin() << ": " << testing::PrintToString(*own)
                << " instead of " << testing::PrintToString(*other);
}

// Calls op(array...) with an array for each output, and checks what the op leaves in them, that it
// writes nothing behind them, and how many kernels it launches where it has kernels, if that is
// known.
template <typename Op, typename... T>
void check_op(Queue& queue, std::optional<std::uint64_t> launches, const Op& op,
              const Output<T>&... outputs) {
  std::tuple<Array<T>...> arrays;
  const auto check = [&](Array<T>&... array) {
    const std::tuple<Canary<T>...> canaries(Canary<T>(array, outputs.expected.size(), queue)...);
    ((outputs.before.empty() ? void() : array.assign(outputs.before)), ...);
    const std::uint64_t before = queue.count().launches;
    op(array...);
    const std::uint64_t launched = queue.count().launches - before;
    EXPECT_EQ(launched, queue.is_host() ? 0 : launches.value_or(launched));
    (expect_same<T>(array.host_read(), outputs.expected), ...);
    const auto expect_intact = [](const auto& canary) { EXPECT_TRUE(canary.is_intact()); };
    std::apply([&](const auto&... canary) { (expect_intact(canary), ...); }, canaries);
  };
  std::apply(check, arrays);
}

// Part `index` of an array that has `each` elements for each window, slot or job.
template <typename All>
auto part_of(All& all, std::integral auto index, std::size_t each) {
  return std::span(all).subspan(static_cast<std::size_t>(index) * each, each);
}

// A plane of which the op may look at this part alone.
inline Plane plane_of_part(const PaddedImage& image, int x, int y, int width, int height) {
  Plane plane;
  plane.borrow(image.view());
  const auto stride = static_cast<std::int32_t>(image.view().stride);
  plane.layout = {width, height, stride, y * stride + x};
  return plane;
}

// Calls check(picture) with pictures of padded rows; or with parts of one, and check(plane, part).
template <typename Check>
void check_padded_strides(int width, int height, const Check& check) {
  for (const int padding : {1, 3, 64, 100}) check(noise_image(width, height, 3, padding).view());
}
template <typename Check>
void check_sub_rectangles(int width, int height, const Check& check) {
  const PaddedImage image = noise_image(width, height, 5, 3);
  for (const auto& [left, top, part_width, part_height] : {std::array{1, 0, width - 1, height},
                                                           {3, 5, width - 73, height - 49},
                                                           {width - 1, height - 1, 1, 1},
                                                           {0, 1, width, height - 2}}) {
    const ImageView part = image.part(left, top, part_width, part_height);
    check(part);
    check(plane_of_part(image, left, top, part_width, part_height), part);
  }
}

// Around which an op looks at a picture: inside, across and far beyond its borders.
inline const std::vector<BoundingBox> kBoxesAnywhere = {{0, 0, 30, 20},
                                                        {-20.3f, 4.7f, 77.7f, 31},
                                                        {50, 50, 4.5f, 9},
                                                        {-500, -300, 1500, 900},
                                                        {-90, -80, 20, 30},
                                                        {1000, 900, 64, 64},
                                                        {-3000, -2000, 7000, 5000}};

template <typename T>
std::vector<T> random_integers(std::size_t count, std::uint32_t below, std::uint64_t seed) {
  Random random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random.below(below));
  return values;
}

inline std::vector<float> random_floats(std::size_t count, float least, float most,
                                        std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = random.uniform(least, most);
  return values;
}

}  // namespace cltrack::test
