// SPDX-License-Identifier: LGPL-2.1-or-later
// Learns the colours of boxes in one picture; see ColorModel::learn(). The frequency of each colour
// in the picture is counted once for all boxes.
//
// Threading: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/color_model.h"
#include "cltrack/color_picture.h"
#include "ops/color/color_sums.h"

namespace cltrack {

class ColorLearner {
 public:
  // The picture must stay as long as this object. Throws Error{invalid_argument} if it is empty.
  explicit ColorLearner(const ColorPicture& picture);

  ColorModel learn(const BoundingBox& box);

 private:
  struct Counts {
    std::vector<std::uint32_t> of_cell = std::vector<std::uint32_t>(kColorCells);
    std::vector<std::uint32_t> cells;  // that occur
    double sum = 0;

    void add(std::uint32_t cell);
    void clear();
  };

  void count_box(const BoundingBox& box);

  const ColorPicture& picture_;
  Counts whole_;
  Counts boxed_;   // in the box of the current object
  Counts inside_;  // in the ellipse inside it
  std::vector<std::uint32_t> rgb_of_cell_ = std::vector<std::uint32_t>(kColorCells);
  std::vector<bool> seen_rgb_ = std::vector<bool>(kColorCells);
  // Whole numbers, by cell of RGB.
  std::vector<double> whole_rgb_ = std::vector<double>(kColorCells);
  std::vector<double> boxed_rgb_ = std::vector<double>(kColorCells);
  std::vector<double> in_rgb_ = std::vector<double>(kColorCells);
};

}  // namespace cltrack
