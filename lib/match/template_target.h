// SPDX-License-Identifier: LGPL-2.1-or-later
// A target that is followed within a search window, at changing sizes, by a template that never
// changes and a running one. Once it is lost, whole frames are searched (TemplateSearch::window).
#pragma once

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "match/match_target.h"
#include "match/template_model.h"
#include "match/window_search.h"

namespace cltrack {

class TemplateTarget final : public MatchTarget {
 public:
  // The target is the part of `picture` in `box`. `is_there`: `picture` is the first frame; or else
  // the target is searched for from the first frame on. Throws Error{invalid_argument} if that part
  // is flat.
  TemplateTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
                 const TemplateConfig& config);

  void follow(const ImageView& picture, bool motion, const SearchRegion& region) override;
  bool wants_frame() const override { return wants_frame_; }
  bool can_wait() const override { return true; }
  void search_frame(const ImageView& picture, FrameSearch& search) override;
  void learn(const ImageView& picture) override;
  void move_to(const BoundingBox& box) override;
  void rescale(float scale_x, float scale_y) override;
  std::uint64_t templates() const override { return model_.templates(); }

 private:
  bool accepts(const FoundBox& found, float least, float likeness) const;
  void take(const FoundBox& found);

  const TemplateConfig& config_;
  TemplateModel model_;
  WindowSearch search_;
  float first_width_ = 0;
  float velocity_x_ = 0;  // pixels per frame
  float velocity_y_ = 0;
  float usual_ = 1;     // likeness on frames that are trusted
  int distrusted_ = 0;  // frames in a row with a box that is not trusted
  int missing_ = 0;     // frames since it was found
  Likeness likeness_;
  bool wants_frame_ = false;
  bool clear_ = true;  // no other place has nearly its score
};

}  // namespace cltrack
