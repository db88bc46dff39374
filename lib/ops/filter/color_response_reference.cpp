// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>

#include "ops/filter/color_response.h"

namespace cltrack::reference {

void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses) {
  for (int dx = -kColorPlaces / 2; dx < kColorPlaces / 2; ++dx) {
    const int left = side / 2 + dx * (side / kColorPlaces) - job.width / 2;
    for (int dy = -kColorPlaces / 2; dy < kColorPlaces / 2; ++dy) {
      const int top = side / 2 + dy * (side / kColorPlaces) - job.height / 2;
      std::uint32_t sum = 0;
      for (int y = std::max(top, 0); y < std::min(top + job.height, side); ++y) {
        for (int x = std::max(left, 0); x < std::min(left + job.width, side); ++x) {
          sum += likelihoods[bins[static_cast<std::size_t>(y * side + x)]];
        }
      }
      responses[static_cast<std::size_t>(color_place(dx) * kColorPlaces + color_place(dy))] =
          static_cast<float>(sum) * job.scale;
    }
  }
}

}  // namespace cltrack::reference
