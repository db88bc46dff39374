// SPDX-License-Identifier: LGPL-2.1-or-later
#include "self_test.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <vector>

#include "cltrack/error.h"
#include "compute/device.h"
#include "compute/queue.h"
#include "core/random.h"
#include "ops/planes/integral.h"

namespace cltrack_devices {
namespace {

// Odd sizes, and a stride greater than the width.
constexpr int kWidth = 173;
constexpr int kHeight = 97;
constexpr int kStride = 187;

bool calculates_right(cltrack::Queue& queue) {
  std::vector<std::uint8_t> pixels(kStride * kHeight);
  cltrack::Random random(1);
  for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random.below(256));
  const cltrack::ImageView image{pixels.data(), kWidth, kHeight, kStride};

  cltrack::Integrals expected;
  cltrack::reference::integrate(image, expected);
  cltrack::Plane plane;
  plane.borrow(image);
  cltrack::IntegralArrays result;
  cltrack::integrate(queue, plane, result);
  result.sums.fetch();
  result.squares.fetch();
  queue.finish();
  return std::ranges::equal(result.sums.host_read(), expected.sums) &&
         std::ranges::equal(result.squares.host_read(), expected.squares);
}

}  // namespace

std::string self_test(const cltrack::DeviceInfo& info) {
  try {
    const auto queue = cltrack::Device::open(info)->make_queue();
    return calculates_right(*queue) ? "" : "integral images differ from the host's";
  } catch (const cltrack::Error& error) {
    return error.details().empty() ? error.what() : error.what() + ("\n" + error.details());
  } catch (const std::exception& error) {
    return error.what();
  }
}

}  // namespace cltrack_devices
