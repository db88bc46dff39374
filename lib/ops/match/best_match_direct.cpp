// SPDX-License-Identifier: LGPL-2.1-or-later
// All places, on vectors: for small templates and planes.
#include <algorithm>

#include "ops/match/best_match_methods.h"

namespace cltrack {
namespace {

// Calls visit(fraction) for the places of the rows [begin, end).
template <typename Visit>
void visit_rows(const ImageView& plane, const MatchTemplate& pattern, int begin, int end,
                PatchRows& rows, const Visit& visit) {
  const ImageView view = pattern.view();
  for (int y = begin; y < end; ++y) {
    if (y == begin) {
      rows.begin(plane, view.width, view.height, y);
    } else {
      rows.next();
    }
    for (int x = 0; x <= plane.width - view.width; ++x) {
      const PatchSums sums = {rows.sums()[x], rows.squares()[x], match_product(plane, view, x, y)};
      visit(match_fraction(pattern.similarity(), pattern.pixels(), pattern.sum(), sums, x, y));
    }
  }
}

}  // namespace

void vector::match_map(const ImageView& plane, const MatchTemplate& pattern, float* map,
                       std::ptrdiff_t stride) {
  check_match_sizes(plane.width, plane.height, pattern);
  PatchRows rows;
  visit_rows(plane, pattern, 0, plane.height - pattern.height() + 1, rows,
             [&](const MatchFound& found) {
               map[found.y * stride + found.x] = match_score(found, pattern.energy());
             });
}

MatchFound best_match_direct(const ImageView& plane, const MatchTemplate& pattern,
                             HostMatchScratch& scratch, Queue& host) {
  const int places = plane.height - pattern.height() + 1;
  const int parts = std::min(places, host.threads() == 1 ? 1 : 4 * host.threads());
  scratch.best.assign(static_cast<std::size_t>(parts), kNoMatch);
  host.run(parts, [&](int part) {
    HostMatchScratch::Loan work(scratch);
    MatchFound best = kNoMatch;
    const auto begin = static_cast<int>(std::int64_t{places} * part / parts);
    const auto end = static_cast<int>(std::int64_t{places} * (part + 1) / parts);
    visit_rows(plane, pattern, begin, end, work->patches, [&](const MatchFound& found) {
      if (best.x < 0 || scores_more(found, best)) best = found;  // visited in reading order
    });
    scratch.best[static_cast<std::size_t>(part)] = best;
  });
  return best_of(scratch.best);
}

}  // namespace cltrack
