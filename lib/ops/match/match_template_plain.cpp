// SPDX-License-Identifier: LGPL-2.1-or-later
// The plain reference: every pixel of every patch.
#include <string>

#include "cltrack/error.h"
#include "ops/match/match_template.h"

namespace cltrack {
namespace {

PatchSums sums_of(const ImageView& plane, const ImageView& pattern, int x, int y) {
  PatchSums sums;
  for (int row = 0; row < pattern.height; ++row) {
    const std::uint8_t* f = plane.row(y + row) + x;
    const std::uint8_t* t = pattern.row(row);
    std::uint32_t sum = 0, squares = 0, product = 0;  // 65536 * 255 * 255 < 2^32
    for (int i = 0; i < pattern.width; ++i) {
      sum += f[i];
      squares += std::uint32_t{f[i]} * f[i];
      product += std::uint32_t{f[i]} * t[i];
    }
    sums.sum += sum;
    sums.squares += squares;
    sums.product += product;
  }
  return sums;
}

template <typename Visit>
void visit_places(const ImageView& plane, const MatchTemplate& pattern, const Visit& visit) {
  check_match_sizes(plane.width, plane.height, pattern);
  for (int y = 0; y <= plane.height - pattern.height(); ++y) {
    for (int x = 0; x <= plane.width - pattern.width(); ++x) {
      visit(match_fraction(pattern.similarity(), pattern.pixels(), pattern.sum(),
                           sums_of(plane, pattern.view(), x, y), x, y));
    }
  }
}

}  // namespace

void check_match_sizes(int plane_width, int plane_height, const MatchTemplate& pattern) {
  if (pattern.width() <= plane_width && pattern.height() <= plane_height) return;
  const auto size = [](int width, int height) {
    return std::to_string(width) + "x" + std::to_string(height);
  };
  throw Error(ErrorCode::invalid_argument,
              "template of " + size(pattern.width(), pattern.height()) + " in a plane of " +
                  size(plane_width, plane_height) + ": must not be larger than the plane");
}

void match_map_plain(const ImageView& plane, const MatchTemplate& pattern, float* map,
                     std::ptrdiff_t stride) {
  visit_places(plane, pattern, [&](const MatchFound& found) {
    map[found.y * stride + found.x] = match_score(found, pattern.energy());
  });
}

MatchPlace best_match_plain(const ImageView& plane, const MatchTemplate& pattern) {
  MatchFound best = {0, 0, -1, -1};
  visit_places(plane, pattern, [&](const MatchFound& found) {
    if (best.x < 0 || is_better_match(found, best)) best = found;
  });
  return match_place(best, pattern);
}

MatchPlace match_place(const MatchFound& found, const MatchTemplate& pattern) {
  // All places of a flat template are equal, so that the first one is found.
  return {found.x, found.y, match_score(found, pattern.energy())};
}

}  // namespace cltrack
