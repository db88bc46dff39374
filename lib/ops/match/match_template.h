// SPDX-License-Identifier: LGPL-2.1-or-later
// A template, prepared once for all frames that it is searched for in.
#pragma once

#include <cstdint>
#include <memory>

#include "cltrack/image_view.h"
#include "ops/match/match_score.h"

namespace cltrack {

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
