// SPDX-License-Identifier: LGPL-2.1-or-later
// Scores of all places of a window, and their peaks.
#pragma once

#include <cstddef>
#include <vector>

namespace cltrack {

struct ScoreMap {
  int width = 0;
  int height = 0;
  std::vector<float> scores;  // row by row

  void resize(int new_width, int new_height) {
    width = new_width;
    height = new_height;
    scores.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }
  float* row(int y) { return scores.data() + static_cast<std::ptrdiff_t>(y) * width; }
  const float* row(int y) const { return scores.data() + static_cast<std::ptrdiff_t>(y) * width; }
  float at(int x, int y) const { return row(y)[x]; }
};

struct Peak {
  float x = 0;  // in places; fractional after refinement
  float y = 0;
  float score = 0;
};

// The best places, at most `count`, best first; none is within `apart_x` and `apart_y` places of a
// better one. Among equals the first in reading order.
std::vector<Peak> find_peaks(const ScoreMap& map, int count, int apart_x, int apart_y);

// The top of the parabola through three scores of which `here` is the greatest: -0.5 to 0.5 from
// it.
float top_of_parabola(float before, float here, float after);

// The peak of the whole map with sub-place accuracy: the top of the quadratic surface through its
// place and the eight around it. At the edge of the map it is not refined.
Peak refined_peak(const ScoreMap& map);

}  // namespace cltrack
