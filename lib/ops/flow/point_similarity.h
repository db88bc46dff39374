// SPDX-License-Identifier: LGPL-2.1-or-later
// How much alike two pictures are around a point of each.
#pragma once

#include <cstdint>

#include "cltrack/image_view.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

// Zero-mean normalised cross-correlation of the 10 x 10 pixels around two points; -1 to 1, 0 where
// one of them is flat. Between pixels it is bilinear, with weights of 14 bits; pixels outside a
// picture are the nearest one inside. Integers up to the last division. The points must lie within
// 1000 pixels of their pictures.
float point_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb);

// The same on vectors, where the processor has AVX2.
float point_similarity_vector(const ImageView& a, const Point& pa, const ImageView& b,
                              const Point& pb);

// What the bodies share: the sums over both squares of their values and of products of these.
inline constexpr int kSimilaritySide = 10;
struct SimilaritySums {
  std::int64_t a = 0, b = 0, aa = 0, bb = 0, ab = 0;
};
float correlation(const SimilaritySums& sums);

}  // namespace cltrack
