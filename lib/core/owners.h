// SPDX-License-Identifier: LGPL-2.1-or-later
// Who owns a place. Where two targets were led to one place, the one with the better claim owns it,
// and the other one yields. All that follow several targets decide it here. What they compare
// differs with what they know of a target; the better claim is decided by the first that differs:
//
//                     TLD                    template matching         tracks of detections
//   one place         overlap over half      over half of the smaller  overlap of half or more,
//                                            box                       of one label
//   is sure           presence is verified   always                    it is reported
//   better claim      it did not yield on    nearer to its own box     the application added it;
//                     the frame before;      of the frame before;      detected later;
//                     settled for longer;    confidence;               confidence
//                     presence;              added earlier
//                     added earlier
//   who yields is     lost                   lost                      uncertain, until detections
//                                                                      say where it is
//
// Each share of a place is the one that its rule was tuned with: a template may shrink to a part of
// what it is of, boxes of detections of one label are alike in size.
//
// Targets that somebody has put on one place are left alone: the trackers know which these are.
#pragma once

#include "cltrack/bounding_box.h"

namespace cltrack {

// When two boxes are of one place.
struct OnePlace {
  float (*share)(const BoundingBox&, const BoundingBox&);  // overlap() or share_of_smaller()
  float above;

  bool has(const BoundingBox& a, const BoundingBox& b) const { return share(a, b) > above; }
};

// A target's claim to the place where it is.
template <typename Rank>
struct PlaceClaim {
  Rank rank;            // the higher one is better
  bool is_sure = true;  // or else it yields to any that is, and none yields to it
};
template <typename Rank>
PlaceClaim(Rank, bool = true) -> PlaceClaim<Rank>;

// Whether the target with the claim `one` yields to another one on its place.
template <typename Rank>
bool yields(const PlaceClaim<Rank>& one, const PlaceClaim<Rank>& other) {
  return other.is_sure && (!one.is_sure || one.rank < other.rank);
}

}  // namespace cltrack
