// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/match/match_score.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "cltrack/error.h"
#include "ops/match/best_match_methods.h"

namespace cltrack {
namespace {

struct Wide128 {
  std::uint64_t high, low;
};

// By halves: compilers do not agree on integers of 128 bits.
Wide128 multiply(std::uint64_t a, std::uint64_t b) {
  constexpr std::uint64_t kHalf = 0xffffffff;
  const std::uint64_t low = (a & kHalf) * (b & kHalf);
  const std::uint64_t cross = (a >> 32) * (b & kHalf) + (low >> 32);
  const std::uint64_t middle = (a & kHalf) * (b >> 32) + (cross & kHalf);
  return {(a >> 32) * (b >> 32) + (cross >> 32) + (middle >> 32), (middle << 32) | (low & kHalf)};
}

using Wide192 = std::array<std::uint64_t, 3>;  // the highest word first, so that < is right

// numerator^2 * energy
Wide192 cross_term(std::uint64_t numerator, std::uint64_t energy) {
  const Wide128 square = multiply(numerator, numerator);
  const Wide128 high = multiply(square.high, energy);
  const Wide128 low = multiply(square.low, energy);
  const std::uint64_t middle = high.low + low.high;
  return {high.high + (middle < low.high ? 1u : 0u), middle, low.low};
}

int sign_of(const MatchFound& found) {
  if (found.energy == 0 || found.numerator == 0) return 0;
  return found.numerator > 0 ? 1 : -1;
}

std::uint64_t magnitude(std::int64_t value) {
  return value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
}

}  // namespace

std::uint64_t match_energy(Similarity similarity, std::uint64_t pixels, std::uint64_t sum,
                           std::uint64_t squares) {
  return similarity == Similarity::cosine ? squares : pixels * squares - sum * sum;
}

MatchFound match_fraction(Similarity similarity, std::uint64_t pixels, std::uint64_t template_sum,
                          const PatchSums& patch, int x, int y) {
  const std::uint64_t energy = match_energy(similarity, pixels, patch.sum, patch.squares);
  if (similarity == Similarity::cosine) {
    return {static_cast<std::int64_t>(patch.product), energy, x, y};
  }
  return {static_cast<std::int64_t>(pixels * patch.product) -
              static_cast<std::int64_t>(template_sum * patch.sum),
          energy, x, y};
}

bool scores_more(const MatchFound& a, const MatchFound& b) {
  const int sign_a = sign_of(a), sign_b = sign_of(b);
  if (sign_a != sign_b) return sign_a > sign_b;
  if (sign_a == 0) return false;
  const Wide192 cross_a = cross_term(magnitude(a.numerator), b.energy);
  const Wide192 cross_b = cross_term(magnitude(b.numerator), a.energy);
  return sign_a > 0 ? cross_b < cross_a : cross_a < cross_b;
}

bool is_better_match(const MatchFound& a, const MatchFound& b) {
  if (scores_more(a, b)) return true;
  if (scores_more(b, a)) return false;
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

bool is_perfect_match(const MatchFound& found, std::uint64_t template_energy) {
  const MatchFound perfect = {static_cast<std::int64_t>(template_energy), template_energy, 0, 0};
  return !scores_more(perfect, found);
}

float match_score(const MatchFound& found, std::uint64_t template_energy) {
  if (sign_of(found) == 0 || template_energy == 0) return 0;
  const double scale = std::sqrt(static_cast<double>(template_energy)) *
                       std::sqrt(static_cast<double>(found.energy));
  return static_cast<float>(static_cast<double>(found.numerator) / scale);
}

MatchTemplate::MatchTemplate(const ImageView& image, Similarity similarity)
    : similarity_(similarity), kept_(std::make_shared<Kept>()) {
  const std::int64_t pixels = image.empty() ? 0 : std::int64_t{image.width} * image.height;
  if (pixels == 0 || pixels > kMostMatchPixels || image.width > kMostMatchSide ||
      image.height > kMostMatchSide) {
    throw Error(ErrorCode::invalid_argument,
                "template of " + std::to_string(image.width) + "x" + std::to_string(image.height) +
                    ": must have 1 to " + std::to_string(kMostMatchPixels) +
                    " pixels and no side over " + std::to_string(kMostMatchSide));
  }
  image_.resize(image.width, image.height);
  for (int y = 0; y < image.height; ++y) {
    std::copy_n(image.row(y), image.width, image_.row(y));
    for (int x = 0; x < image.width; ++x) {
      const std::uint64_t value = image.at(x, y);
      sum_ += value;
      squares_ += value * value;
    }
  }
  pixels_ = static_cast<std::uint64_t>(pixels);
  energy_ = match_energy(similarity, pixels_, sum_, squares_);
}

}  // namespace cltrack
