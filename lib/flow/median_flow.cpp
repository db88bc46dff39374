// SPDX-License-Identifier: LGPL-2.1-or-later
#include "flow/median_flow.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace cltrack {
namespace median_flow_parts {
namespace {

constexpr int kSurroundings = 10;  // side of the squares compared, pixels

using Square = std::array<float, kSurroundings * kSurroundings>;

// The square centred on `point`, pixels outside the image replaced by the nearest one.
Square surroundings(const ImageView& image, const Point& point) {
  const float left = point.x - 0.5f * (kSurroundings - 1);
  const float top = point.y - 0.5f * (kSurroundings - 1);
  const int x0 = static_cast<int>(std::floor(left));
  const int y0 = static_cast<int>(std::floor(top));
  const float fx = left - static_cast<float>(x0);
  const float fy = top - static_cast<float>(y0);
  const auto pixel = [&](int x, int y) {
    return static_cast<float>(
        image.at(std::clamp(x, 0, image.width - 1), std::clamp(y, 0, image.height - 1)));
  };
  Square square;
  std::size_t i = 0;
  for (int y = y0; y < y0 + kSurroundings; ++y) {
    for (int x = x0; x < x0 + kSurroundings; ++x) {
      const float upper = pixel(x, y) + fx * (pixel(x + 1, y) - pixel(x, y));
      const float lower = pixel(x, y + 1) + fx * (pixel(x + 1, y + 1) - pixel(x, y + 1));
      square[i++] = upper + fy * (lower - upper);
    }
  }
  return square;
}

void subtract_mean(Square& square) {
  float sum = 0;
  for (const float v : square) sum += v;
  const float mean = sum / static_cast<float>(square.size());
  for (float& v : square) v -= mean;
}

}  // namespace

std::vector<Point> point_grid(const BoundingBox& box, const MedianFlowSettings& settings) {
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

float similarity(const ImageView& a, const Point& pa, const ImageView& b, const Point& pb) {
  Square sa = surroundings(a, pa);
  Square sb = surroundings(b, pb);
  subtract_mean(sa);
  subtract_mean(sb);
  float ab = 0, aa = 0, bb = 0;
  for (std::size_t i = 0; i < sa.size(); ++i) {
    ab += sa[i] * sb[i];
    aa += sa[i] * sa[i];
    bb += sb[i] * sb[i];
  }
  return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

float median(std::vector<float> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

BoundingBox moved_box(const BoundingBox& box, const std::vector<Point>& from,
                      const std::vector<Point>& to) {
  std::vector<float> dx, dy, ratios;
  for (std::size_t i = 0; i < from.size(); ++i) {
    dx.push_back(to[i].x - from[i].x);
    dy.push_back(to[i].y - from[i].y);
    for (std::size_t j = 0; j < i; ++j) {
      const float before = std::hypot(from[i].x - from[j].x, from[i].y - from[j].y);
      const float after = std::hypot(to[i].x - to[j].x, to[i].y - to[j].y);
      if (before > 0) ratios.push_back(after / before);
    }
  }
  const float scale = ratios.empty() ? 1.0f : median(std::move(ratios));
  const float width = scale * box.width;
  const float height = scale * box.height;
  return {box.center_x() + median(std::move(dx)) - 0.5f * width,
          box.center_y() + median(std::move(dy)) - 0.5f * height, width, height};
}

}  // namespace median_flow_parts

std::optional<BoundingBox> median_flow(const FlowPyramid& from, const FlowPyramid& to,
                                       const BoundingBox& box, const MedianFlowSettings& settings) {
  using namespace median_flow_parts;
  const std::vector<Point> grid = point_grid(box, settings);
  const ImageView picture = to.picture();
  const std::vector<FlowPoint> flow = point_flow(from, to, grid, settings.flow);

  std::vector<std::size_t> found;
  std::vector<float> errors, similarities;
  for (std::size_t i = 0; i < grid.size(); ++i) {
    if (!flow[i].found) continue;
    found.push_back(i);
    errors.push_back(flow[i].forward_backward);
    similarities.push_back(similarity(from.picture(), grid[i], picture, flow[i].to));
  }
  if (found.size() < 2) return std::nullopt;
  const float median_error = median(errors);
  const float median_similarity = median(similarities);
  if (median_error > settings.max_error) return std::nullopt;

  std::vector<Point> kept_from, kept_to;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (errors[k] > median_error || similarities[k] < median_similarity) continue;
    kept_from.push_back(grid[found[k]]);
    kept_to.push_back(flow[found[k]].to);
  }
  if (kept_from.empty()) return std::nullopt;
  const BoundingBox moved = moved_box(box, kept_from, kept_to);
  const BoundingBox inside = clip_to_frame(moved, picture.width, picture.height);
  if (!moved.is_valid() || inside.width < 1 || inside.height < 1) return std::nullopt;
  return moved;
}

}  // namespace cltrack
