// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>
#include <vector>

#include "core/processor.h"
#include "ops/filter/color_response.h"
#include "ops/filter/sample_windows.h"

namespace cltrack::vector {
namespace {

struct Edges {
  int begin, end;
};

// What a box of `length` samples covers of an axis, by color_place().
[[gnu::always_inline]] inline std::array<Edges, kColorPlaces> edges_of(int length, int side) {
  std::array<Edges, kColorPlaces> edges;
  for (int d = -kColorPlaces / 2; d < kColorPlaces / 2; ++d) {
    const int begin = side / 2 + d * (side / kColorPlaces) - length / 2;
    edges[static_cast<std::size_t>(color_place(d))] = {std::clamp(begin, 0, side),
                                                       std::clamp(begin + length, 0, side)};
  }
  return edges;
}

// Sums of columns down to each row first, which are vectors; then along the few rows of places.
[[gnu::always_inline]] inline void respond(const std::uint16_t* bins, int side,
                                           const ColorResponseJob& job,
                                           const std::uint16_t* likelihoods, float* responses) {
  const auto width = static_cast<std::size_t>(side);
  std::vector<std::uint32_t> columns(width * (width + 1));
  for (std::size_t y = 0; y < width; ++y) {
    const std::uint32_t* above = columns.data() + y * width;
    std::uint32_t* own = columns.data() + (y + 1) * width;
    for (std::size_t x = 0; x < width; ++x) own[x] = above[x] + likelihoods[bins[y * width + x]];
  }
  const auto across = edges_of(job.width, side);
  const auto down = edges_of(job.height, side);
  std::array<std::uint32_t, kMostSampleSide + 1> sums;
  sums[0] = 0;
  for (std::size_t place_y = 0; place_y < kColorPlaces; ++place_y) {
    const std::uint32_t* top =
        columns.data() + static_cast<std::size_t>(down[place_y].begin) * width;
    const std::uint32_t* bottom =
        columns.data() + static_cast<std::size_t>(down[place_y].end) * width;
    for (std::size_t x = 0; x < width; ++x) sums[x + 1] = sums[x] + (bottom[x] - top[x]);
    for (std::size_t place_x = 0; place_x < kColorPlaces; ++place_x) {
      const auto& [left, right] = across[place_x];
      responses[place_x * kColorPlaces + place_y] =
          static_cast<float>(sums[static_cast<std::size_t>(right)] -
                             sums[static_cast<std::size_t>(left)]) *
          job.scale;
    }
  }
}

}  // namespace

void color_response(std::span<const std::uint16_t> bins, int side, const ColorResponseJob& job,
                    std::span<const std::uint16_t> likelihoods, std::span<float> responses) {
  kFastest<respond>(bins.data(), side, job, likelihoods.data(), responses.data());
}

}  // namespace cltrack::vector
