// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/point_similarity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "ops/flow/between_pixels.h"

namespace cltrack {
namespace {

constexpr int kSide = kSimilaritySide;

using Square = std::array<std::int64_t, kSide * kSide>;

// The pixels around `point`, times 2^14.
Square square_around(const ImageView& image, const Point& point) {
  const PixelWeights at = pixel_weights(point.x - 0.5f * (kSide - 1), point.y - 0.5f * (kSide - 1));
  std::uint8_t pixels[(kSide + 1) * (kSide + 1)];
  std::size_t i = 0;
  for (int y = at.y; y <= at.y + kSide; ++y) {
    const std::uint8_t* row = image.row(std::clamp(y, 0, image.height - 1));
    for (int x = at.x; x <= at.x + kSide; ++x) {
      pixels[i++] = row[std::clamp(x, 0, image.width - 1)];
    }
  }
  Square square;
  i = 0;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      square[i++] = weigh(pixels + y * (kSide + 1) + x, kSide + 1, at);
    }
  }
  return square;
}

}  // namespace

float correlation(const SimilaritySums& sums) {
  constexpr std::int64_t n = kSide * kSide;
  const std::int64_t spread_a = n * sums.aa - sums.a * sums.a;
  const std::int64_t spread_b = n * sums.bb - sums.b * sums.b;
  if (spread_a <= 0 || spread_b <= 0) return 0;
  return static_cast<float>(n * sums.ab - sums.a * sums.b) /
         std::sqrt(static_cast<float>(spread_a) * static_cast<float>(spread_b));
}

float reference::point_similarity(const ImageView& a, const Point& pa, const ImageView& b,
                                  const Point& pb) {
  const Square sa = square_around(a, pa);
  const Square sb = square_around(b, pb);
  SimilaritySums sums;
  for (std::size_t i = 0; i < sa.size(); ++i) {
    sums.a += sa[i];
    sums.b += sb[i];
    sums.aa += sa[i] * sa[i];
    sums.bb += sb[i] * sb[i];
    sums.ab += sa[i] * sb[i];
  }
  return correlation(sums);
}

}  // namespace cltrack
