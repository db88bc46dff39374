// SPDX-License-Identifier: LGPL-2.1-or-later
// The similarity of a template and a patch, as a fraction of exact integers, and the order of such
// fractions. With n pixels, t those of the template and f those of the patch:
//
//   ncc      numerator  n sum(t f) - sum(t) sum(f)    energy  n sum(f f) - sum(f)^2
//   cosine   numerator  sum(t f)                      energy  sum(f f)
//
// and the score is numerator / sqrt(energy of the template * energy of the patch), or 0 if an
// energy is 0. Fractions are compared as integers of 192 bits, without rounding, so that devices
// without double find the same place.
#pragma once

#include <cstdint>
#include <memory>

#include "cltrack/image_view.h"
#include "cltrack/similarity.h"
#include "kernels/kernel_types.h"

namespace cltrack {

// The sums of one patch that its score is computed from.
struct PatchSums {
  std::uint64_t sum = 0;
  std::uint64_t squares = 0;
  std::uint64_t product = 0;  // with the template
};

// Largest template: the numerators of 2^23 pixels (4096 x 2048; a 4K frame is smaller) fit 63 bits.
inline constexpr std::int64_t kMostMatchPixels = std::int64_t{1} << 23;
// Largest side: sums over a row or a column of squares fit 32 bits.
inline constexpr int kMostMatchSide = 65536;

// n sum(f f) - sum(f)^2, or sum(f f).
std::uint64_t match_energy(Similarity similarity, std::uint64_t pixels, std::uint64_t sum,
                           std::uint64_t squares);

MatchFound match_fraction(Similarity similarity, std::uint64_t pixels, std::uint64_t template_sum,
                          const PatchSums& patch, int x, int y);

// Whether the score of `a` is greater than that of `b`, exactly; places are ignored.
bool scores_more(const MatchFound& a, const MatchFound& b);

// The same, and among equal scores the first in reading order.
bool is_better_match(const MatchFound& a, const MatchFound& b);

// Whether the score is 1, exactly: nothing can be better.
bool is_perfect_match(const MatchFound& found, std::uint64_t template_energy);

// Never NaN.
float match_score(const MatchFound& found, std::uint64_t template_energy);

// A template, prepared once for all frames that it is searched for in.

// Can be moved, not copied. Threading: one search at a time.
class MatchTemplate {
 public:
  // Copies the pixels. Throws Error{invalid_argument} if there are none, more than
  // kMostMatchPixels, or more than kMostMatchSide on a side.
  MatchTemplate(const ImageView& image, Similarity similarity);
  MatchTemplate(MatchTemplate&&) noexcept = default;
  MatchTemplate& operator=(MatchTemplate&&) noexcept = default;

  int width() const { return image_.width(); }
  int height() const { return image_.height(); }
  Similarity similarity() const { return similarity_; }
  ImageView view() const { return image_.view(); }
  std::uint64_t pixels() const { return pixels_; }
  std::uint64_t sum() const { return sum_; }
  std::uint64_t squares() const { return squares_; }
  std::uint64_t energy() const { return energy_; }  // 0: flat, all scores are 0

  struct Kept;  // what searches keep for the next one
  Kept& kept() { return *kept_; }

 private:
  Image image_;
  Similarity similarity_;
  std::uint64_t pixels_ = 0, sum_ = 0, squares_ = 0, energy_ = 0;
  std::shared_ptr<Kept> kept_;
};

}  // namespace cltrack
