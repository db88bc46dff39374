// SPDX-License-Identifier: LGPL-2.1-or-later
// How the camera moves: where what stands still in the scene goes in the picture.
//
// The optical flow of a grid of points in a picture of some 160 pixels; the largest group of points
// that move alike is the scene. It is computed on the host alone: reducing a picture costs less
// than one launch, so all devices have the same bits.
//
// Threading: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "cltrack/image_view.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

class CameraMotion {
 public:
  // How far the scene has moved since the latest frame, in pixels: exactly 0 if most of it has not
  // moved, and if that is not known. `follows`: on the latest one.
  Point observe(const ImageView& luma, bool follows);
  // The next frame does not follow on from any.
  void forget() { has_before_ = false; }

 private:
  void resize(int width, int height);
  void reduce(const ImageView& luma);
  Point shift() const;

  int width_ = 0, height_ = 0;  // of frames
  int factor_ = 1;              // that they are reduced by
  Image reduced_;
  std::vector<std::uint16_t> sums_;
  FlowPyramidShape shape_;
  std::array<std::vector<std::uint8_t>, 2> pyramids_;  // of the frame before and this one, in turn
  std::size_t current_ = 0;
  bool has_before_ = false;
  std::vector<Point> points_;
  std::vector<TrackedPoint> tracked_;
};

}  // namespace cltrack
