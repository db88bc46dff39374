// SPDX-License-Identifier: LGPL-2.1-or-later
// A target that consists of its first template alone and is searched for in whole frames
// (TemplateSearch::frame). It always has a box, if it fits into the frame and
// is found in the search region.
#pragma once

#include <memory>

#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "match/match_target.h"
#include "ops/match/best_match.h"

namespace cltrack {

class FixedTarget final : public MatchTarget {
 public:
  // The target is the part of `picture` in `box`, rounded to whole pixels. `is_there`: `picture` is
  // the first frame. Throws Error{invalid_argument} if that part is flat.
  FixedTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
              const TemplateConfig& config);

  void follow(const ImageView&, bool, const SearchRegion&) override {}
  bool wants_frame() const override { return true; }
  bool can_wait() const override { return false; }
  void search_frame(const ImageView& picture, FrameSearch& search) override;
  void learn(const ImageView&) override {}
  void move_to(const BoundingBox&) override {}  // each frame is searched without a prior place
  void rescale(float scale_x, float scale_y) override;
  std::uint64_t templates() const override { return 1; }

 private:
  void prepare(const ImageView& pixels);

  const TemplateConfig& config_;
  Image original_;
  float width_;  // of original_ in frames of the present size
  float height_;
  std::unique_ptr<MatchTemplate> pattern_;
  std::unique_ptr<MatchTemplate> ncc_;  // if pattern_ compares by something else
};

}  // namespace cltrack
