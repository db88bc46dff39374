// SPDX-License-Identifier: LGPL-2.1-or-later
// A target that is nothing but its first template, searched for in whole frames as it is
// (TemplateSearch::frame). It always has a box, if it fits into the frame.
#pragma once

#include <memory>

#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "match/match_target.h"
#include "ops/match/match_template.h"

namespace cltrack {

class FixedTarget final : public MatchTarget {
 public:
  // The target is what `box`, rounded to whole pixels, shows of `picture`; with is_there, on the
  // first frame, which is this picture. Throws Error{invalid_argument} if that is flat.
  FixedTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
              const TemplateConfig& config);

  void follow(const ImageView&, bool) override {}
  bool wants_frame() const override { return true; }
  void look_everywhere(const ImageView& picture, FrameSearch& search) override;
  void learn(const ImageView&) override {}
  void move_to(const BoundingBox&) override {}  // it is wherever the frame looks most like it
  void rescale(float scale_x, float scale_y) override;
  std::uint64_t templates() const override { return 1; }

 private:
  void prepare(const ImageView& pixels);

  const TemplateConfig& config_;
  Image original_;
  float width_;  // of it in the present frames
  float height_;
  std::unique_ptr<MatchTemplate> pattern_;
  std::unique_ptr<MatchTemplate> ncc_;  // if that compares by something else
};

}  // namespace cltrack
