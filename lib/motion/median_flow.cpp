// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/median_flow.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cltrack {

namespace median_flow_parts {

float median(std::vector<float> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

float distance(const Point& a, const Point& b) {
  const double x = a.x - b.x, y = a.y - b.y;
  return static_cast<float>(std::sqrt(x * x + y * y));
}

BoundingBox moved_box(const BoundingBox& box, const std::vector<Point>& from,
                      const std::vector<Point>& to) {
  std::vector<float> dx, dy, ratios;
  ratios.reserve(from.size() * from.size() / 2);
  for (std::size_t i = 0; i < from.size(); ++i) {
    dx.push_back(to[i].x - from[i].x);
    dy.push_back(to[i].y - from[i].y);
    for (std::size_t j = 0; j < i; ++j) {
      const float before = distance(from[i], from[j]);
      if (before > 0) ratios.push_back(distance(to[i], to[j]) / before);
    }
  }
  const float scale = ratios.empty() ? 1.0f : median(std::move(ratios));
  const float width = scale * box.width;
  const float height = scale * box.height;
  return {box.center_x() + median(std::move(dx)) - 0.5f * width,
          box.center_y() + median(std::move(dy)) - 0.5f * height, width, height};
}

}  // namespace median_flow_parts

std::vector<Point> median_flow_points(const BoundingBox& box, const MedianFlowSettings& settings) {
  // Small boxes keep at least half of their size for the points.
  const float margin_x = std::min(settings.margin, 0.25f * box.width);
  const float margin_y = std::min(settings.margin, 0.25f * box.height);
  const float left = box.x + margin_x;
  const float top = box.y + margin_y;
  const float last = static_cast<float>(settings.points - 1);
  // Pixel centres are whole numbers for the flow, hence the width less one.
  const float step_x = (box.width - 1 - 2 * margin_x) / last;
  const float step_y = (box.height - 1 - 2 * margin_y) / last;
  std::vector<Point> points;
  points.reserve(static_cast<std::size_t>(settings.points * settings.points));
  for (int j = 0; j < settings.points; ++j) {
    for (int i = 0; i < settings.points; ++i) {
      points.push_back(
          {left + static_cast<float>(i) * step_x, top + static_cast<float>(j) * step_y});
    }
  }
  return points;
}

std::optional<BoundingBox> median_flow_box(const BoundingBox& box, std::span<const Point> points,
                                           std::span<const TrackedPoint> tracked, int width,
                                           int height, const MedianFlowSettings& settings) {
  using namespace median_flow_parts;
  std::vector<float> errors, similarities;
  for (const TrackedPoint& point : tracked) {
    if (!point.found) continue;
    errors.push_back(point.forward_backward);
    similarities.push_back(point.similarity);
  }
  if (errors.size() < 2) return std::nullopt;
  const float median_error = median(errors);
  const float median_similarity = median(similarities);
  if (median_error > settings.max_error) return std::nullopt;

  std::vector<Point> kept_from, kept_to;
  for (std::size_t i = 0; i < tracked.size(); ++i) {
    if (!tracked[i].found || tracked[i].forward_backward > median_error ||
        tracked[i].similarity < median_similarity) {
      continue;
    }
    kept_from.push_back(points[i]);
    kept_to.push_back({tracked[i].x, tracked[i].y});
  }
  if (kept_from.empty()) return std::nullopt;
  const BoundingBox moved = moved_box(box, kept_from, kept_to);
  const BoundingBox inside = clip_to_frame(moved, width, height);
  if (!moved.is_valid() || inside.width < 1 || inside.height < 1) return std::nullopt;
  return moved;
}

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

void MedianFlow::begin(const Frame& /*frame*/, const Plane& luma,
                       std::span<const MotionTarget> targets) {
  int largest = config_.window_min | 1;
  for (const MotionTarget& target : targets) largest = std::max(largest, window_for(target.box));
  luma_ = &luma;
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
                        luma_->width(), luma_->height(), config_.points);
    if (box) moved[i] = Motion{*box};
  });
  return moved;
}

void MedianFlow::end() {
  if (may_move_ && !queue_->is_host() && !now().is_kept) keep(now());  // estimate() was not called
  current_ = 1 - current_;
}

void MedianFlow::keep(Picture& picture) {
  copy(luma_->host_view(), picture.kept);
  picture.is_kept = true;
}

void MedianFlow::place(std::shared_ptr<Queue> queue, bool follows_on) {
  Picture& last = before();
  if (follows_on && !last.is_kept) copy(last.pyramid.host_view().level(0), last.kept);
  for (Picture& picture : pictures_) {
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
