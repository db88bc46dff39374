// SPDX-License-Identifier: LGPL-2.1-or-later
// Sparse optical flow: pyramidal Lucas-Kanade, there and back again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/image_view.h"

namespace cltrack {

struct Point {
  float x = 0;  // pixels; the centre of the first pixel is (0, 0)
  float y = 0;
};

struct FlowSettings {
  int window = 9;         // side of the integration window, odd, at most FlowPyramid's
  int iterations = 20;    // per level
  float epsilon = 0.03f;  // pixels
};

struct FlowPoint {
  Point to;                    // where the point went
  float forward_backward = 0;  // distance from the start after tracking it back again, pixels
  bool found = false;          // in both directions
};

// A picture at several resolutions, with its gradients.
class FlowPyramid {
 public:
  FlowPyramid();
  ~FlowPyramid();
  FlowPyramid(FlowPyramid&&) noexcept;
  FlowPyramid& operator=(FlowPyramid&&) noexcept;

  // `levels` above the first, fewer if the picture is too small; `largest_window` in pixels.
  void build(const ImageView& image, int levels, int largest_window);
  bool empty() const;
  int largest_window() const;  // as built; 0 before
  ImageView picture() const;   // the copy of the picture that it was built from

  struct Data;
  const Data& data() const { return *data_; }

 private:
  std::unique_ptr<Data> data_;
};

// Tracks `points` from one picture into the next and back. The result has one entry per point.
// Deterministic; the only op whose results may differ between devices (by under 0.01 px).
std::vector<FlowPoint> point_flow(const FlowPyramid& from, const FlowPyramid& to,
                                  const std::vector<Point>& points, const FlowSettings& settings);

}  // namespace cltrack
