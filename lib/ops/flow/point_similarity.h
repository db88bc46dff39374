// SPDX-License-Identifier: LGPL-2.1-or-later
// Similarity of two pictures around a point of each.
#pragma once

#include <cstdint>

#include "cltrack/image_view.h"
#include "kernels/kernel_types.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

inline constexpr int kSimilaritySide = CLTRACK_SIMILARITY_SIDE;

// Zero-mean normalised cross-correlation of the kSimilaritySide x kSimilaritySide pixels around two
// points; -1 to 1, 0 where one of them is flat. Between pixels it is bilinear, with weights of 14
// bits; pixels outside a picture are the nearest one inside. Integers up to the last division. The
// points must lie within 1000 pixels of their pictures.
namespace reference {
float point_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb);
}
namespace vector {  // the reference where the processor has no AVX2
float point_similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb);
}

// The last step of both: `sums` are those over both squares, of their values and of products of
// these.
struct SimilaritySums {
  std::int64_t a = 0, b = 0, aa = 0, bb = 0, ab = 0;
};
float correlation(const SimilaritySums& sums);

}  // namespace cltrack
