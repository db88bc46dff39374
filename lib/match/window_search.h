// SPDX-License-Identifier: LGPL-2.1-or-later
// Template matching within a window of the frame: scores, their peaks, and the box.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "match/template_model.h"

namespace cltrack {

// Scores of all places of a window, and their peaks.

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

// The peak of the whole map with sub-place accuracy: the top of the quadratic surface through its
// place and the eight around it. At the edge of the map it is not refined.
Peak refined_peak(const ScoreMap& map);

// Searches a window for a target, from coarse to fine: all places at the coarse resolution, the
// best ones again at the fine one, and there also other sizes.

struct FoundBox {
  BoundingBox box;
  Likeness likeness;
  // Best score of the other refined places of the window, divided by that of this one. 0 to 1.
  float second = 0;
};

// Threading: one search at a time, for one model at a time.
class WindowSearch {
 public:
  explicit WindowSearch(const TemplateConfig& config) : config_(config) {}

  // Searches for a box of the size of `expected` whose centre is inside the picture and up to
  // reach_x and reach_y pixels from that of `expected`. Nothing if there is no such place.
  std::optional<FoundBox> find(const ImageView& picture, TemplateModel& model,
                               const BoundingBox& expected, float reach_x, float reach_y);

  // Refines the place and size of `coarse`, the result of a search at the coarse resolution.
  FoundBox refine(const ImageView& picture, TemplateModel& model, const BoundingBox& coarse);

  // The part of the picture in a box at the fine resolution. Valid until the next call.
  const Image& patch_at(const ImageView& picture, const TemplateModel& model,
                        const BoundingBox& box);

 private:
  struct Place {
    BoundingBox box;
    float score = -2;
  };
  void score_places(TemplateLevel& level);
  void penalize_distance();
  Place fine_place(const ImageView& picture, TemplateModel& model, const BoundingBox& near,
                   int reach_x, int reach_y);
  Place best_size(const ImageView& picture, TemplateModel& model, const Place& place);

  const TemplateConfig& config_;
  Image plane_;
  Image patch_;
  ScoreMap map_;
  ScoreMap running_map_;
};

}  // namespace cltrack
