// SPDX-License-Identifier: LGPL-2.1-or-later
// Searches a window for a target, from coarse to fine: all places at the coarse resolution, the
// best ones again at the fine one, and there also other sizes.
#pragma once

#include <optional>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "match/score_peaks.h"
#include "match/template_model.h"

namespace cltrack {

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
