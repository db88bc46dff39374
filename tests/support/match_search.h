// SPDX-License-Identifier: LGPL-2.1-or-later
// A search of ops/match/best_match.h, from a picture to the best place.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "ops/match/best_match_methods.h"
#include "support/devices.h"

namespace cltrack::test {

inline constexpr MatchMethod kMatchMethods[] = {MatchMethod::direct, MatchMethod::spectral};

// By that method, or by the one that best_match() chooses.
inline MatchPlace find_match(Queue& queue, const ImageView& view, MatchTemplate& pattern,
                             MatchScratch& scratch, std::optional<MatchMethod> method = {}) {
  Plane plane;
  plane.borrow(view);
  Array<MatchFound> found;
  const Canary canary(found, 1, queue);
  if (method) {
    best_match_by(*method, queue, plane, pattern, scratch, found);
  } else {
    best_match(queue, plane, pattern, scratch, found);
  }
  found.fetch();
  queue.finish();
  const MatchPlace place = match_place(found.host_read()[0], pattern);
  EXPECT_TRUE(canary.is_intact());
  return place;
}

}  // namespace cltrack::test

namespace cltrack {
// What a failed test says of a place.
inline void PrintTo(const MatchPlace& place, std::ostream* out) {
  *out << place.x << ", " << place.y << ": " << place.score;
}
}  // namespace cltrack
