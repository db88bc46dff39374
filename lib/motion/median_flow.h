// SPDX-License-Identifier: LGPL-2.1-or-later
// Median flow (Kalal, Mikolajczyk, Matas, "Forward-Backward Error", ICPR 2010): how a box moved and
// grew, out of the optical flow of a grid of points in it. The half of the points that come back
// worst, and the half whose surroundings changed most, are not listened to.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

struct MedianFlowSettings {
  int points = 10;       // per side of the grid
  float margin = 5;      // pixels between the box and the outermost points
  float max_error = 10;  // median forward-backward error at which it fails, pixels
};

// The points to track in a box of the picture before.
std::vector<Point> median_flow_points(const BoundingBox& box, const MedianFlowSettings& settings);

// Where the box is, now that point_flow() has tracked the points into a picture of that size;
// nothing if the flow is not reliable, or if less than a pixel of the box stays inside the picture.
std::optional<BoundingBox> median_flow_box(const BoundingBox& box, std::span<const Point> points,
                                           std::span<const TrackedPoint> tracked, int width,
                                           int height, const MedianFlowSettings& settings);

// The parts, for tests.
namespace median_flow_parts {

// Median of the values, the lower one of the middle two; values must not be empty.
float median(std::vector<float> values);

// The box moved by the median displacement and scaled about its centre by the median ratio of the
// distances between all pairs of points. At least one pair of points.
BoundingBox moved_box(const BoundingBox& box, const std::vector<Point>& from,
                      const std::vector<Point>& to);

}  // namespace median_flow_parts
}  // namespace cltrack
