// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/camera_compensation.h"

#include <cmath>

namespace cltrack {
namespace {

constexpr float kClearly = 0.5f;  // so much less of one error than of the other
// Sides of the box: motion finds what moves by less as surely, and places it better by itself.
constexpr float kLeastShift = 0.25f;
constexpr float kRate = 0.2f;  // of the means

bool is_nothing(const Point& shift) { return shift.x == 0 && shift.y == 0; }

}  // namespace

Point CameraCompensation::begin_frame(const Point& shift, const BoundingBox& box, bool is_seen) {
  shift_ = shift;
  before_ = is_seen ? std::optional(box) : std::nullopt;
  if (!(scene_error_ < kClearly * picture_error_)) return {};
  if (is_seen && std::hypot(shift.x, shift.y) < kLeastShift * std::sqrt(box.area())) return {};
  return shift;
}

void CameraCompensation::end_frame(const std::optional<BoundingBox>& box) {
  if (!before_ || !box || is_nothing(shift_)) return;
  const float x = box->center_x() - before_->center_x();
  const float y = box->center_y() - before_->center_y();
  scene_error_ += kRate * (std::hypot(x - shift_.x, y - shift_.y) - scene_error_);
  picture_error_ += kRate * (std::hypot(x, y) - picture_error_);
}

}  // namespace cltrack
