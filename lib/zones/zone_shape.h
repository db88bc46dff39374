// SPDX-License-Identifier: LGPL-2.1-or-later
// A zone on pictures of one size: where its edges are.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "cltrack/zones.h"

namespace cltrack {

// Pixels; the top left corner of the picture is 0, 0, as of boxes.
struct PicturePoint {
  float x = 0;
  float y = 0;
};

class ZoneShape {
 public:
  // Of a zone that is valid.
  ZoneShape(const Zone& zone, int picture_width, int picture_height);

  // Of an area.
  bool contains(const PicturePoint& point) const {
    return is_within(point, 0) && crosses_odd(point);
  }

  // Whether an edge is at most so far away. The picture's border is no edge of an area: nobody is
  // seen beyond it. In a narrow area `distance` is reduced to what leaves room between the edges.
  bool is_near(const PicturePoint& point, float distance) const {
    const float reach = std::min(distance, most_distance_);
    return is_within(point, reach) && has_edge_near(point, reach);
  }

  // How often the way from `from` straight to `to` crosses a line forward, less how often backward.
  int crossings(const PicturePoint& from, const PicturePoint& to) const {
    const bool is_apart = std::max(from.x, to.x) < left_ || std::min(from.x, to.x) > right_ ||
                          std::max(from.y, to.y) < top_ || std::min(from.y, to.y) > bottom_;
    return is_apart ? 0 : count_crossings(from, to);
  }

 private:
  // Most tracks are far from most zones: what is beyond the bounds is not looked at closely.
  bool is_within(const PicturePoint& point, float reach) const {
    return point.x >= left_ - reach && point.x <= right_ + reach && point.y >= top_ - reach &&
           point.y <= bottom_ + reach;
  }
  bool crosses_odd(const PicturePoint& point) const;
  bool has_edge_near(const PicturePoint& point, float distance) const;
  int count_crossings(const PicturePoint& from, const PicturePoint& to) const;
  void add_edge(const PicturePoint& from, const PicturePoint& to, bool is_border);

  // Edges, each number in an array of its own, so that compilers take several at a time.
  std::vector<float> x0_, y0_, x1_, y1_;
  std::vector<float> slope_;            // x for each y
  std::vector<unsigned char> borders_;  // 1: no edge for is_near()
  float left_, top_, right_, bottom_;
  float most_distance_;
};

// Throws Error{invalid_argument} that says which corner, or which edges, make it no zone.
void check_corners(std::span<const RelativePoint> corners, ZoneKind kind, bool in_pixels);

}  // namespace cltrack
