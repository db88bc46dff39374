// SPDX-License-Identifier: LGPL-2.1-or-later
// Exact sums of patches, on vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"

namespace cltrack {

// Sum over the pattern's pixels of their products with the plane's, from (x, y) on.
std::uint64_t match_product(const ImageView& plane, const ImageView& pattern, int x, int y);

// Sums and sums of squares of all patches of one row of places, row after row.
class PatchRows {
 public:
  // Patches of width x height pixels, at first those in row `y` of the plane.
  void begin(const ImageView& plane, int width, int height, int y);
  // The next row, which must exist.
  void next();

  // Of the places 0 ... plane.width - width.
  const std::uint32_t* sums() const { return sums_.data(); }
  const std::uint64_t* squares() const { return squares_.data(); }

 private:
  void sum_up();

  ImageView plane_;
  int width_ = 0, height_ = 0, y_ = 0;
  std::vector<std::uint32_t> column_sums_, column_squares_;
  std::vector<std::uint32_t> sums_;
  std::vector<std::uint64_t> squares_;
};

}  // namespace cltrack
