// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/median_flow_estimator.h"

#include <algorithm>
#include <utility>

namespace cltrack {
namespace {

void copy(const ImageView& from, Image& to) {
  to.resize(from.width, from.height);
  for (int y = 0; y < from.height; ++y) std::copy_n(from.row(y), from.width, to.row(y));
}

}  // namespace

MedianFlow::MedianFlow(const MedianFlowConfig& config, std::shared_ptr<Queue> queue, bool may_move)
    : config_(config), queue_(std::move(queue)), may_move_(may_move) {}

int MedianFlow::window_for(const BoundingBox& box) const {
  const float side = std::min(box.width, box.height);
  const int window = static_cast<int>(config_.window_ratio * side);
  return std::clamp(window, config_.window_min, config_.window_max) | 1;
}

void MedianFlow::begin(const Frame& frame, const Plane& luma,
                       std::span<const MotionTarget> targets) {
  int largest = config_.window_min | 1;
  for (const MotionTarget& target : targets) largest = std::max(largest, window_for(target.box));
  now().luma = frame.luma;
  now().is_kept = false;
  now().largest_window = largest;
  build_flow_pyramid(*queue_, luma, config_.levels, largest, now().pyramid);
}

void MedianFlow::estimate(std::span<const MotionTarget> targets) {
  boxes_.clear();
  points_.clear();
  windows_.resize(targets.size());
  if (!targets.empty()) {
    const int largest = std::min(before().pyramid.largest_window, now().pyramid.largest_window);
    auto window = windows_.host_write().begin();
    for (const MotionTarget& target : targets) {
      boxes_.push_back(target.box);
      const std::vector<Point> points = median_flow_points(target.box, config_.points);
      points_.insert(points_.end(), points.begin(), points.end());
      *window++ = std::min(window_for(target.box), largest);
    }
    queued_points_.assign(points_);
    point_flow(*queue_, before().pyramid, now().pyramid, queued_points_, windows_, config_.search,
               tracked_);
    tracked_.fetch();
    queue_->flush();
  }
  if (may_move_ && !queue_->is_host()) keep(now());  // while the device is at work
}

std::vector<std::optional<Motion>> MedianFlow::collect(Queue& host) {
  std::vector<std::optional<Motion>> moved(boxes_.size());
  if (boxes_.empty()) return moved;
  const std::span<const TrackedPoint> tracked = tracked_.host_read();
  const std::span<const Point> points(points_);
  const std::size_t each = points.size() / boxes_.size();
  host.run(static_cast<int>(boxes_.size()), [&](int target) {
    const auto i = static_cast<std::size_t>(target);
    const auto box =
        median_flow_box(boxes_[i], points.subspan(i * each, each), tracked.subspan(i * each, each),
                        now().luma.width, now().luma.height, config_.points);
    if (box) moved[i] = Motion{*box};
  });
  return moved;
}

void MedianFlow::end() {
  if (may_move_ && !queue_->is_host() && !now().is_kept) keep(now());  // nothing was asked for
  now().luma = {};
  current_ = 1 - current_;
}

void MedianFlow::keep(Picture& picture) {
  copy(picture.luma, picture.kept);
  picture.is_kept = true;
}

void MedianFlow::place(std::shared_ptr<Queue> queue, bool follows_on) {
  Picture& last = before();
  if (follows_on && !last.is_kept) copy(last.pyramid.host_view().level(0), last.kept);
  for (Picture& picture : pictures_) {
    picture.luma = {};
    picture.pyramid = {};
  }
  last.is_kept = follows_on;
  queued_points_ = {};
  windows_ = {};
  tracked_ = {};
  boxes_.clear();
  queue_ = std::move(queue);
  if (!follows_on) return;
  Plane luma;
  luma.borrow(last.kept.view());
  build_flow_pyramid(*queue_, luma, config_.levels, last.largest_window, last.pyramid);
  luma.release();
}

void MedianFlow::abandon() noexcept {
  for (Picture& picture : pictures_) picture = {};
  boxes_.clear();
}

}  // namespace cltrack
