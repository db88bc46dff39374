// SPDX-License-Identifier: LGPL-2.1-or-later
// Median flow: how a box moved, and the motion estimator made of it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "motion/motion_estimator.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

// Median flow (Kalal, Mikolajczyk, Matas, "Forward-Backward Error", ICPR 2010): how a box moved and
// grew, out of the optical flow of a grid of points in it. The half of the points that come back
// worst, and the half whose surroundings changed most, are not listened to.

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

// Median flow as a motion estimator: keeps the pyramids of two frames, tracks the points of all
// targets in one call.

struct MedianFlowConfig {
  MedianFlowSettings points = {};
  FlowSearch search = {};
  int levels = 5;             // of the pyramid, above the first
  float window_ratio = 0.3f;  // side of the Lucas-Kanade window: this fraction of the shorter side
  int window_min = 9;         //   of the box, made odd and kept within [min, max] pixels
  int window_max = 31;
};

class MedianFlow final : public MotionEstimator {
 public:
  // `may_move`: place() may be called while frames follow on from each other, for which pictures
  // are kept that are on a device only.
  MedianFlow(const MedianFlowConfig& config, std::shared_ptr<Queue> queue, bool may_move);

  void begin(const Frame& frame, const Plane& luma, std::span<const MotionTarget> targets) override;
  PictureSource picture() const override { return *luma_; }
  void estimate(std::span<const MotionTarget> targets) override;
  std::vector<std::optional<Motion>> collect(Queue& host) override;
  void end() override;
  void place(std::shared_ptr<Queue> queue, bool follows_on) override;
  void abandon() noexcept override;

 private:
  struct Picture {
    FlowPyramid pyramid;
    int largest_window = 0;  // that it is made for
    Image kept;              // a copy, for when the work moves
    bool is_kept = false;
  };

  int window_for(const BoundingBox& box) const;
  Picture& now() { return pictures_[current_]; }
  Picture& before() { return pictures_[1 - current_]; }
  void keep(Picture& picture);

  MedianFlowConfig config_;
  std::shared_ptr<Queue> queue_;
  bool may_move_;
  const Plane* luma_ = nullptr;      // of the frame that has begun
  std::array<Picture, 2> pictures_;  // the frame before and this one, in turn
  std::size_t current_ = 0;
  std::vector<BoundingBox> boxes_;  // of estimate()
  std::vector<Point> points_;
  Array<Point> queued_points_;
  Array<std::int32_t> windows_;
  Array<TrackedPoint> tracked_;
};

}  // namespace cltrack
