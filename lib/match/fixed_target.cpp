// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/fixed_target.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "match/frame_search.h"
#include "match/template_model.h"
#include "ops/planes/area_resample.h"

namespace cltrack {

FixedTarget::FixedTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
                         const TemplateConfig& config)
    : config_(config) {
  const int left = std::clamp(static_cast<int>(std::lround(box.x)), 0, picture.width - 1);
  const int top = std::clamp(static_cast<int>(std::lround(box.y)), 0, picture.height - 1);
  original_.resize(std::clamp(static_cast<int>(std::lround(box.width)), 1, picture.width - left),
                   std::clamp(static_cast<int>(std::lround(box.height)), 1, picture.height - top));
  for (int y = 0; y < original_.height(); ++y) {
    std::memcpy(original_.row(y), picture.row(top + y) + left,
                static_cast<std::size_t>(original_.width()));
  }
  width_ = static_cast<float>(original_.width());
  height_ = static_cast<float>(original_.height());
  prepare(original_.view());
  check_contrast(*pattern_, box);
  box_ = {static_cast<float>(left), static_cast<float>(top), width_, height_};
  if (!is_there) return;
  state_ = TrackState::tracking;
  confidence_ = 1;
}

void FixedTarget::prepare(const ImageView& pixels) {
  pattern_ = std::make_unique<MatchTemplate>(pixels, config_.similarity);
  if (config_.similarity == Similarity::ncc) return;
  ncc_ = std::make_unique<MatchTemplate>(pixels, Similarity::ncc);
}

void FixedTarget::search_frame(const ImageView& picture, FrameSearch& search) {
  state_ = TrackState::lost;
  confidence_ = 0;
  loss_ = "size";
  if (pattern_->width() > picture.width || pattern_->height() > picture.height) return;
  const auto place = search.best_place(picture, *pattern_);
  loss_ = "region";
  if (!place) return;
  box_ = {static_cast<float>(place->x), static_cast<float>(place->y),
          static_cast<float>(pattern_->width()), static_cast<float>(pattern_->height())};
  float likeness = place->score;
  if (ncc_) {
    const ImageView patch = {picture.row(place->y) + place->x, pattern_->width(),
                             pattern_->height(), picture.stride};
    vector::match_map(patch, *ncc_, &likeness, 1);
  }
  confidence_ = std::clamp(likeness, 0.0f, 1.0f);
  state_ = likeness >= config_.threshold ? TrackState::tracking : TrackState::uncertain;
}

void FixedTarget::rescale(float scale_x, float scale_y) {
  box_ = {box_.x * scale_x, box_.y * scale_y, box_.width * scale_x, box_.height * scale_y};
  width_ *= scale_x;
  height_ *= scale_y;
  Image resized(std::max(1, static_cast<int>(std::lround(width_))),
                std::max(1, static_cast<int>(std::lround(height_))));
  resample_area(
      original_.view(),
      {0, 0, static_cast<float>(original_.width()), static_cast<float>(original_.height())},
      resized);
  prepare(resized.view());
}

}  // namespace cltrack
