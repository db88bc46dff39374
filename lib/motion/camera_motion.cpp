// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/camera_motion.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace cltrack {
namespace {

// Pixels are those of the reduced picture.
constexpr int kLongerSide = 160;
constexpr int kColumns = 8, kRows = 5;  // of points
constexpr float kMargin = 0.06f;        // of a side, without points
constexpr int kLevels = 2, kWindow = 9;
constexpr FlowSettings kFlow = {.window = kWindow, .iterations = 10, .epsilon = 0.05f};
constexpr float kMostError = 1;       // of a point that comes back
constexpr float kAlike = 1.2f;        // distance of two motions
constexpr float kStill = 0.3f;        // motion that is none
constexpr float kLeastFound = 0.25f;  // share of all points
constexpr float kLeastAlike = 0.35f;  // the same

bool are_near(const Point& a, const Point& b, float distance) {
  const float x = a.x - b.x, y = a.y - b.y;
  return x * x + y * y < distance * distance;
}

// The mean of the largest group of motions.
struct Group {
  Point motion;
  std::size_t size = 0;
};

Group largest_group(const std::vector<Point>& motions) {
  Group best;
  for (const Point& middle : motions) {
    Group group;
    for (const Point& one : motions) {
      if (!are_near(one, middle, kAlike)) continue;
      group.motion = {group.motion.x + one.x, group.motion.y + one.y};
      ++group.size;
    }
    if (group.size > best.size) best = group;
  }
  const auto count = static_cast<float>(best.size);
  return {{best.motion.x / count, best.motion.y / count}, best.size};
}

}  // namespace

void CameraMotion::resize(int width, int height) {
  if (width == width_ && height == height_) return;
  has_before_ = false;
  width_ = width;
  height_ = height;
  factor_ = std::max(1, (std::max(width, height) + kLongerSide / 2) / kLongerSide);
  reduced_.resize(width / factor_, height / factor_);
  points_.clear();
  if (std::min(reduced_.width(), reduced_.height()) < 2 * kWindow) return;  // nothing to be seen
  sums_.resize(static_cast<std::size_t>(width));
  shape_ = padded_flow_pyramid_shape(reduced_.width(), reduced_.height(), kLevels, kWindow);
  for (std::vector<std::uint8_t>& pyramid : pyramids_) pyramid.resize(shape_.bytes());
  const auto place = [](int side, int i, int count) {
    const float share =
        kMargin + (1 - 2 * kMargin) * static_cast<float>(i) / static_cast<float>(count - 1);
    return static_cast<float>(side) * share;
  };
  for (int j = 0; j < kRows; ++j) {
    for (int i = 0; i < kColumns; ++i) {
      points_.push_back({place(reduced_.width(), i, kColumns), place(reduced_.height(), j, kRows)});
    }
  }
  tracked_.resize(points_.size());
}

// Each pixel is the mean of a square.
void CameraMotion::reduce(const ImageView& luma) {
  const int columns = reduced_.width() * factor_;
  const int pixels = factor_ * factor_;
  for (int y = 0; y < reduced_.height(); ++y) {
    std::copy_n(luma.row(y * factor_), columns, sums_.begin());
    for (int j = 1; j < factor_; ++j) {
      const std::uint8_t* row = luma.row(y * factor_ + j);
      std::uint16_t* const sums = sums_.data();
      for (int x = 0; x < columns; ++x) sums[x] = static_cast<std::uint16_t>(sums[x] + row[x]);
    }
    const std::uint16_t* sums = sums_.data();
    std::uint8_t* out = reduced_.row(y);
    for (int x = 0; x < reduced_.width(); ++x, sums += factor_) {
      int sum = pixels / 2;
      for (int i = 0; i < factor_; ++i) sum += sums[i];
      out[x] = static_cast<std::uint8_t>(sum / pixels);
    }
  }
}

Point CameraMotion::observe(const ImageView& luma, bool follows) {
  resize(luma.width, luma.height);
  if (points_.empty()) return {};
  reduce(luma);
  current_ = 1 - current_;
  vector::build_flow_pyramid(reduced_.view(), shape_, pyramids_[current_].data());
  const bool has_before = has_before_ && follows;
  has_before_ = true;
  if (!has_before) return {};
  FlowPyramidView before{shape_}, now{shape_};
  before.pixels = pyramids_[1 - current_].data();
  now.pixels = pyramids_[current_].data();
  vector::point_flow(before, now, points_, kFlow, tracked_.data());
  return shift();
}

Point CameraMotion::shift() const {
  const auto share = [&](float of_points) {
    return of_points * static_cast<float>(points_.size());
  };
  std::vector<Point> motions;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    const TrackedPoint& tracked = tracked_[i];
    if (!tracked.found || tracked.forward_backward > kMostError) continue;
    motions.push_back({tracked.x - points_[i].x, tracked.y - points_[i].y});
  }
  if (static_cast<float>(motions.size()) < share(kLeastFound)) return {};
  const auto still = std::ranges::count_if(
      motions, [](const Point& motion) { return are_near(motion, {}, kStill); });
  if (2 * still > std::ssize(motions)) return {};
  const Group scene = largest_group(motions);
  if (static_cast<float>(scene.size) < share(kLeastAlike)) return {};
  if (are_near(scene.motion, {}, kStill)) return {};
  const auto factor = static_cast<float>(factor_);
  return {scene.motion.x * factor, scene.motion.y * factor};
}

}  // namespace cltrack
