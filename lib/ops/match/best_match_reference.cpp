// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/best_match.h"
#include "ops/match/best_match_methods.h"

namespace cltrack::reference {
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

void match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
               std::ptrdiff_t stride) {
  visit_places(plane, pattern, [&](const MatchFound& found) {
    map[found.y * stride + found.x] = match_score(found, pattern.energy());
  });
}

MatchPlace best_match(const ImageView& plane, const MatchTemplate& pattern) {
  MatchFound best = kNoMatch;
  visit_places(plane, pattern, [&](const MatchFound& found) {
    if (best.x < 0 || is_better_match(found, best)) best = found;
  });
  return match_place(best, pattern);
}

}  // namespace cltrack::reference
