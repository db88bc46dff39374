// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/median_flow.h"

#include <algorithm>
#include <cmath>

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

}  // namespace cltrack
