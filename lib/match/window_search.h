// SPDX-License-Identifier: LGPL-2.1-or-later
// Looks for a target in a window, from coarse to fine: all places at the coarse resolution, the
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
  Likeness likeness;  // of what it shows
  // Score of the best place elsewhere in the window that was refined, over that of this one. 0 to
  // 1.
  float second = 0;
};

// Threading: one search at a time, for one model at a time.
class WindowSearch {
 public:
  explicit WindowSearch(const TemplateConfig& config) : config_(config) {}

  // Looks for a box of the size of `expected` whose centre is up to reach_x and reach_y pixels from
  // that of `expected`, inside the picture. Nothing if none of these places is.
  std::optional<FoundBox> find(const ImageView& picture, TemplateModel& model,
                               const BoundingBox& expected, float reach_x, float reach_y);

  // The box near `coarse`, which a search at the coarse resolution has found: place, size and
  // likeness.
  FoundBox refine(const ImageView& picture, TemplateModel& model, const BoundingBox& coarse);

  // What a box shows, at the fine resolution. Valid until the next call.
  const Image& look(const ImageView& picture, const TemplateModel& model, const BoundingBox& box);

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
  Image look_;
  ScoreMap map_;
  ScoreMap running_map_;
};

}  // namespace cltrack
