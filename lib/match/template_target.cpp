// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_target.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/box_sizes.h"
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

namespace {

constexpr int kWindowFrames = 15;   // after so many, a lost target may be anywhere
constexpr float kLargestReach = 4;  // of a window, in sides of the box
constexpr float kVelocityRate = 0.5f;
constexpr float kAgrees = 0.9f;  // likeness of a place that a template leads to by itself
constexpr float kBaselineRate = 0.05f;

}  // namespace

TemplateTarget::TemplateTarget(const ImageView& picture, const BoundingBox& box, bool is_there,
                               const TemplateConfig& config)
    : config_(config),
      model_(picture, box, config),
      search_(config_),
      is_of_frame_(is_there),
      first_width_(box.width),
      missing_(is_there ? 0 : kWindowFrames + 1) {
  box_ = box;
  if (!is_there) return;
  state_ = TrackState::tracking;
  confidence_ = 1;
}

bool TemplateTarget::accepts(const FoundBox& found, float least, float likeness) const {
  const float change = found.box.width / first_width_;
  return likeness >= least && change <= config_.largest_change &&
         change * config_.largest_change >= 1;
}

void TemplateTarget::follow(const ImageView& picture, bool motion, const SearchRegion& region) {
  wants_frame_ = false;
  if (!motion) {
    velocity_x_ = velocity_y_ = 0;
    missing_ = std::max(missing_, kWindowFrames + 1);
  }
  const bool lost = missing_ > 0;
  const char* loss = "discontinuity";
  if (missing_ <= kWindowFrames) {
    BoundingBox expected = box_;
    expected.x += velocity_x_;
    expected.y += velocity_y_;
    const float reach = std::min(
        config_.window * (1 + config_.window_growth * static_cast<float>(missing_)), kLargestReach);
    const auto found =
        search_.find(picture, model_, expected, reach * box_.width, reach * box_.height);
    const bool counts =
        found && (!lost || region.contains(found->box, picture.width, picture.height));
    loss = !found ? "outside" : found->likeness.best() < config_.uncertain ? "score" : "size";
    if (counts &&
        accepts(*found, lost ? config_.found_again : config_.uncertain, found->likeness.best())) {
      clear_ = found->second < config_.second_peak ||
               (!lost && found->likeness.first >= config_.certain);
      if (clear_ || (!lost && distrusted_ < config_.patience)) return take(*found);
      loss = "rival";
    }
  }
  wants_frame_ = true;
  lose(loss);
}

void TemplateTarget::lose(const char* reason) {
  if (state_ != TrackState::lost) loss_ = reason;
  state_ = TrackState::lost;
  confidence_ = 0;
  velocity_x_ = velocity_y_ = 0;
  if (missing_ <= kWindowFrames) ++missing_;
}

void TemplateTarget::yield() {
  missing_ = kWindowFrames;  // it may be anywhere but here
  lose("other-target");
}

void TemplateTarget::search_frame(const ImageView& picture, FrameSearch& search) {
  const auto found = search.find(picture, model_, box_.width, box_.height, search_);
  if (!found || !accepts(*found, config_.found_again, found->likeness.first)) return;
  clear_ = found->second < config_.second_peak;
  if (clear_) take(*found);
}

void TemplateTarget::take(const FoundBox& found) {
  if (missing_ == 0) {
    velocity_x_ += kVelocityRate * (found.box.center_x() - box_.center_x() - velocity_x_);
    velocity_y_ += kVelocityRate * (found.box.center_y() - box_.center_y() - velocity_y_);
  } else {
    velocity_x_ = velocity_y_ = 0;
  }
  missing_ = 0;
  box_ = found.box;
  likeness_ = found.likeness;
  confidence_ = std::clamp(likeness_.best(), 0.0f, 1.0f);
  const float least = std::max(config_.threshold, config_.usual_share * baseline_);
  if (likeness_.best() >= least && clear_) {
    state_ = TrackState::tracking;
    distrusted_ = 0;
    baseline_ += kBaselineRate * (likeness_.best() - baseline_);
  } else {
    state_ = TrackState::uncertain;
    ++distrusted_;
  }
}

void TemplateTarget::learn(const ImageView& picture) {
  if (config_.update_rate <= 0 || state_ != TrackState::tracking) return;
  if (likeness_.first < config_.learn_threshold) return;
  if (box_.x < 0 || box_.y < 0 || box_.right() > static_cast<float>(picture.width) ||
      box_.bottom() > static_cast<float>(picture.height)) {
    return;
  }
  model_.learn(search_.patch_at(picture, model_, box_).view(), config_.update_rate);
}

bool TemplateTarget::move_to(const ImageView& picture, const BoundingBox& box) {
  const float wanted = box_.width * std::sqrt(box.area() / box_.area());
  const float width = std::clamp(wanted, first_width_ / config_.largest_change,
                                 first_width_ * config_.largest_change);
  const float height = box_.height * (width / box_.width);
  box_ = with_sides(box, width, height);
  velocity_x_ = velocity_y_ = 0;
  missing_ = distrusted_ = 0;
  clear_ = true;
  wants_frame_ = false;
  state_ = TrackState::tracking;
  confidence_ = 1;
  if (!is_of_frame_) return true;
  return model_.compare(search_.patch_at(picture, model_, box_).view()).best() >= kAgrees;
}

void TemplateTarget::rescale(float scale_x, float scale_y) {
  box_ = {box_.x * scale_x, box_.y * scale_y, box_.width * scale_x, box_.height * scale_y};
  first_width_ *= scale_x;
  velocity_x_ *= scale_x;
  velocity_y_ *= scale_y;
}

}  // namespace cltrack
