// SPDX-License-Identifier: LGPL-2.1-or-later
#include "zones/zone_shape.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>

#include "cltrack/error.h"

namespace cltrack {
namespace {

// An edge that lies so near to the picture's border, pixels, lies on it.
constexpr float kBorder = 1;

struct Vector {
  double x, y;
};

Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y}; }

// Over 0 if `b` is to the right of `a`: y goes down.
double cross(const Vector& a, const Vector& b) { return a.x * b.y - a.y * b.x; }
double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y; }

// On the line itself is right of it: a corner is on one side for both of its edges.
bool is_right_of(const Vector& from, const Vector& to, const Vector& point) {
  return cross(to - from, point - from) >= 0;
}

double square_distance(const Vector& from, const Vector& to, const Vector& point) {
  const Vector along = to - from;
  const double length = dot(along, along);
  const double share = length > 0 ? std::clamp(dot(point - from, along) / length, 0.0, 1.0) : 0.0;
  const Vector apart = point - Vector{from.x + share * along.x, from.y + share * along.y};
  return dot(apart, apart);
}

Vector vector_of(const RelativePoint& point) { return {point.x, point.y}; }

}  // namespace

ZoneShape::ZoneShape(const Zone& zone, int picture_width, int picture_height) {
  const auto width = static_cast<float>(picture_width), height = static_cast<float>(picture_height);
  std::vector<PicturePoint> corners;
  for (const RelativePoint& corner : zone.corners) {
    corners.push_back(zone.in_pixels ? PicturePoint{corner.x, corner.y}
                                     : PicturePoint{corner.x * width, corner.y * height});
  }
  const auto [left, right] = std::ranges::minmax(corners, {}, &PicturePoint::x);
  const auto [top, bottom] = std::ranges::minmax(corners, {}, &PicturePoint::y);
  left_ = left.x;
  right_ = right.x;
  top_ = top.y;
  bottom_ = bottom.y;

  const bool is_area = zone.kind == ZoneKind::area;
  const std::size_t edges = is_area ? corners.size() : corners.size() - 1;
  double area = 0, length = 0;
  for (std::size_t i = 0; i < edges; ++i) {
    const PicturePoint &a = corners[i], &b = corners[(i + 1) % corners.size()];
    const auto both = [&](auto holds) { return holds(a) && holds(b); };
    const bool is_border = both([](const auto& p) { return p.x <= kBorder; }) ||
                           both([](const auto& p) { return p.y <= kBorder; }) ||
                           both([&](const auto& p) { return p.x >= width - kBorder; }) ||
                           both([&](const auto& p) { return p.y >= height - kBorder; });
    add_edge(a, b, is_area && is_border);
    area += cross({a.x, a.y}, {b.x, b.y}) / 2;
    length += std::hypot(b.x - a.x, b.y - a.y);
  }
  // The largest circle in an area has at least the radius area / length.
  most_distance_ =
      is_area ? static_cast<float>(std::abs(area) / length / 2) : std::numeric_limits<float>::max();
}

void ZoneShape::add_edge(const PicturePoint& from, const PicturePoint& to, bool is_border) {
  x0_.push_back(from.x);
  y0_.push_back(from.y);
  x1_.push_back(to.x);
  y1_.push_back(to.y);
  slope_.push_back(to.y != from.y ? (to.x - from.x) / (to.y - from.y) : 0);
  borders_.push_back(is_border ? 1 : 0);
}

bool ZoneShape::crosses_odd(const PicturePoint& point) const {
  // How often a line from the point to the right crosses edges, each without its lower end.
  unsigned crossings = 0;
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    const bool spans = (y0_[i] > point.y) != (y1_[i] > point.y);
    const bool is_left = point.x < x0_[i] + (point.y - y0_[i]) * slope_[i];
    crossings += static_cast<unsigned>(spans) & static_cast<unsigned>(is_left);
  }
  return crossings % 2 == 1;
}

bool ZoneShape::has_edge_near(const PicturePoint& point, float distance) const {
  const double square = static_cast<double>(distance) * distance;
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    if (borders_[i] == 0 &&
        square_distance({x0_[i], y0_[i]}, {x1_[i], y1_[i]}, {point.x, point.y}) <= square) {
      return true;
    }
  }
  return false;
}

int ZoneShape::count_crossings(const PicturePoint& from, const PicturePoint& to) const {
  const Vector begin = {from.x, from.y}, end = {to.x, to.y};
  int count = 0;
  for (std::size_t i = 0; i < x0_.size(); ++i) {
    const Vector a = {x0_[i], y0_[i]}, b = {x1_[i], y1_[i]};
    const bool begins_right = is_right_of(a, b, begin), ends_right = is_right_of(a, b, end);
    if (begins_right == ends_right) continue;
    if (is_right_of(begin, end, a) == is_right_of(begin, end, b)) continue;
    count += ends_right ? 1 : -1;
  }
  return count;
}

namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

std::string text_of(const RelativePoint& point) {
  std::ostringstream text;
  text << point.x << "," << point.y;
  return text.str();
}

// Whether they have a point in common, their ends included.
bool meet(const Vector& a, const Vector& b, const Vector& c, const Vector& d) {
  const auto between = [](double low, double value, double high) {
    return std::min(low, high) <= value && value <= std::max(low, high);
  };
  // Those that lie apart, as most of an outline do, are not looked at closely.
  if (std::max(a.x, b.x) < std::min(c.x, d.x) || std::max(c.x, d.x) < std::min(a.x, b.x) ||
      std::max(a.y, b.y) < std::min(c.y, d.y) || std::max(c.y, d.y) < std::min(a.y, b.y)) {
    return false;
  }
  const double c_side = cross(b - a, c - a), d_side = cross(b - a, d - a);
  const double a_side = cross(d - c, a - c), b_side = cross(d - c, b - c);
  if (((c_side > 0 && d_side < 0) || (c_side < 0 && d_side > 0)) &&
      ((a_side > 0 && b_side < 0) || (a_side < 0 && b_side > 0))) {
    return true;
  }
  const auto lies_on = [&](double side, const Vector& from, const Vector& to, const Vector& point) {
    return side == 0 && between(from.x, point.x, to.x) && between(from.y, point.y, to.y);
  };
  return lies_on(c_side, a, b, c) || lies_on(d_side, a, b, d) || lies_on(a_side, c, d, a) ||
         lies_on(b_side, c, d, b);
}

void check_points(std::span<const RelativePoint> corners, bool in_pixels) {
  const float most = in_pixels ? Zone::kMostPixels : 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto& [x, y] = corners[i];
    if (x >= 0 && x <= most && y >= 0 && y <= most) continue;  // false for NaN
    std::ostringstream allowed;
    allowed << most;
    refuse("corner " + std::to_string(i + 1) + " is " + text_of(corners[i]) + "; allowed: 0 to " +
           allowed.str() + (in_pixels ? "" : " (or write that they are pixels)"));
  }
}

void check_edges(std::span<const RelativePoint> corners, ZoneKind kind) {
  const std::size_t count = corners.size();
  const std::size_t edges = kind == ZoneKind::area ? count : count - 1;
  const auto corner = [&](std::size_t i) { return vector_of(corners[i % count]); };
  const auto numbers = [](std::size_t i, std::size_t j) {
    return std::to_string(i + 1) + " and " + std::to_string(j + 1);
  };
  for (std::size_t i = 0; i < edges; ++i) {
    if (corners[i] == corners[(i + 1) % count]) {
      refuse("corners " + numbers(i, (i + 1) % count) + " are the same, " + text_of(corners[i]));
    }
  }
  for (std::size_t i = 0; i < edges; ++i) {
    for (std::size_t j = i + 1; j < edges; ++j) {
      const bool follows = j == i + 1;
      const bool precedes = kind == ZoneKind::area && i == 0 && j + 1 == edges;
      bool bad = false;
      if (follows || precedes) {
        // They share a corner, and may not turn back there.
        const std::size_t shared = follows ? j : i;
        const Vector before = corner(shared) - corner(shared + count - 1);
        const Vector after = corner(shared + 1) - corner(shared);
        bad = cross(before, after) == 0 && dot(before, after) < 0;
      } else {
        bad = meet(corner(i), corner(i + 1), corner(j), corner(j + 1));
      }
      if (bad) refuse("it crosses itself: edges " + numbers(i, j) + " meet");
    }
  }
}

}  // namespace

void check_corners(std::span<const RelativePoint> corners, ZoneKind kind, bool in_pixels) {
  const bool is_area = kind == ZoneKind::area;
  const std::size_t least = is_area ? 3 : 2;
  if (corners.size() < least || corners.size() > Zone::kMostCorners) {
    refuse("it has " + std::to_string(corners.size()) + " corners; allowed: " +
           std::to_string(least) + " to " + std::to_string(Zone::kMostCorners));
  }
  check_points(corners, in_pixels);
  double area = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    area += cross(vector_of(corners[i]), vector_of(corners[(i + 1) % corners.size()])) / 2;
  }
  check_edges(corners, kind);
  if (is_area && std::abs(area) < (in_pixels ? 1 : 1e-6)) refuse("its area is zero");
}

}  // namespace cltrack
