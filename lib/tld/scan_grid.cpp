// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/scan_grid.h"

#include <algorithm>
#include <cmath>

namespace cltrack {
namespace {

constexpr float kWidestShift = 1 / 3.0f;  // see ScanGrid()
constexpr float kCoarser = 1.1f;          // a step to the next larger one

// Positions 0, step, 2 step, ... rounded, of a window of `size` in a frame of `frame` pixels.
std::vector<int> positions(int size, int frame, float step) {
  std::vector<int> result;
  for (int i = 0;; ++i) {
    const int position = static_cast<int>(std::floor(static_cast<float>(i) * step + 0.5f));
    if (position + size > frame) return result;
    if (result.empty() || position > result.back()) result.push_back(position);
  }
}

void spread(ScanScale& scale, int frame_width, int frame_height) {
  const float step = scale.shift * static_cast<float>(std::min(scale.width, scale.height));
  scale.xs = positions(scale.width, frame_width, step);
  scale.ys = positions(scale.height, frame_height, step);
}

// The part of `positions` where a window of `size` meets [low, high).
auto meeting(const std::vector<int>& positions, int size, float low, float high) {
  const auto first =
      std::upper_bound(positions.begin(), positions.end(), low,
                       [size](float l, int p) { return l < static_cast<float>(p + size); });
  const auto last = std::lower_bound(first, positions.end(), high,
                                     [](int p, float h) { return static_cast<float>(p) < h; });
  return std::pair(first, last);
}

}  // namespace

ScanGrid::ScanGrid(float width, float height, int frame_width, int frame_height,
                   const TldConfig& config) {
  const float side = std::min(width, height);
  const float smallest = std::min(
      std::floor(side),
      std::clamp(config.min_window_ratio * side, config.min_window_low, config.min_window_high));
  for (int power = -config.scales_each_way; power <= config.scales_each_way; ++power) {
    const float factor = std::pow(config.scale_step, static_cast<float>(power));
    ScanScale scale;
    scale.width = static_cast<int>(std::floor(width * factor + 0.5f));
    scale.height = static_cast<int>(std::floor(height * factor + 0.5f));
    if (power == 0) {  // rounding must not push the first size out of the frame
      scale.width = std::min(scale.width, frame_width);
      scale.height = std::min(scale.height, frame_height);
    }
    if (static_cast<float>(std::min(scale.width, scale.height)) < smallest) continue;
    if (scale.width > frame_width || scale.height > frame_height) break;
    scale.shift = config.shift;
    spread(scale, frame_width, frame_height);
    size_ += scale.size();
    scales_.push_back(std::move(scale));
  }
  coarsen(frame_width, frame_height, static_cast<std::uint32_t>(config.max_windows));
  std::uint32_t first = 0;
  for (ScanScale& scale : scales_) {
    scale.first = first;
    first += scale.size();
  }
}

void ScanGrid::coarsen(int frame_width, int frame_height, std::uint32_t most) {
  const auto before = [](const ScanScale& a, const ScanScale& b) {
    const bool a_is_wide = a.shift >= kWidestShift, b_is_wide = b.shift >= kWidestShift;
    if (a_is_wide != b_is_wide) return b_is_wide;
    return a_is_wide ? a.shift < b.shift : a.size() > b.size();
  };
  while (size_ > most) {
    ScanScale& scale = *std::min_element(scales_.begin(), scales_.end(), before);
    size_ -= scale.size();
    const float wider = scale.shift * kCoarser;
    scale.shift = scale.shift < kWidestShift ? std::min(wider, kWidestShift) : wider;
    spread(scale, frame_width, frame_height);
    size_ += scale.size();
    is_coarse_ = true;
  }
}

std::size_t ScanGrid::scale_of(std::uint32_t window) const {
  const auto next =
      std::upper_bound(scales_.begin(), scales_.end(), window,
                       [](std::uint32_t w, const ScanScale& scale) { return w < scale.first; });
  return static_cast<std::size_t>(next - scales_.begin()) - 1;
}

float ScanGrid::shortest_side() const {
  if (scales_.empty()) return 0;
  return static_cast<float>(std::min(scales_.front().width, scales_.front().height));
}

Window ScanGrid::window(std::uint32_t index) const {
  const ScanScale& scale = scales_[scale_of(index)];
  const std::size_t place = index - scale.first;
  return {scale.xs[place % scale.xs.size()], scale.ys[place / scale.xs.size()], scale.width,
          scale.height};
}

std::vector<WindowOverlap> ScanGrid::overlapping(const BoundingBox& box, float minimum) const {
  std::vector<WindowOverlap> result;
  for (const ScanScale& scale : scales_) {
    const float area = static_cast<float>(scale.width) * static_cast<float>(scale.height);
    if (std::min(area, box.area()) <= minimum * std::max(area, box.area())) continue;
    const auto [x_first, x_last] = meeting(scale.xs, scale.width, box.x, box.right());
    const auto [y_first, y_last] = meeting(scale.ys, scale.height, box.y, box.bottom());
    for (auto y = y_first; y < y_last; ++y) {
      for (auto x = x_first; x < x_last; ++x) {
        const float common = overlap(box, Window{*x, *y, scale.width, scale.height}.box());
        if (common <= minimum) continue;
        const auto place = static_cast<std::uint32_t>(
            (y - scale.ys.begin()) * std::ssize(scale.xs) + (x - scale.xs.begin()));
        result.push_back({scale.first + place, common});
      }
    }
  }
  std::sort(result.begin(), result.end(), [](const WindowOverlap& a, const WindowOverlap& b) {
    return a.overlap != b.overlap ? a.overlap > b.overlap : a.window < b.window;
  });
  return result;
}

namespace {

constexpr float kReach = 0.5f;  // beyond the box, sides of it
// More for each frame interval in which there was no frame; after more steps than these, the target
// may be anywhere.
constexpr float kReachOfStep = 0.25f;
constexpr int kMostSteps = 8;
constexpr float kLeastArea = 0.4f;  // of the smaller of box and window, in areas of the larger one

}  // namespace

void ScanPlan::begin(int steps, int interval) {
  steps_ = std::max(steps, 1);
  interval_ = interval;
  const bool is_whole = steps == 0 || !is_sure_ || interval == 1 || steps > kMostSteps;
  part_ = is_whole ? Part::whole : Part::near_and_rows;
  is_deferred_ = false;
}

void ScanPlan::defer() {
  part_ = Part::near_and_rows;
  is_deferred_ = true;
}

void ScanPlan::look_near() {
  if (part_ == Part::whole) is_deferred_ = true;
  part_ = Part::near;
}

void ScanPlan::end(bool is_sure) {
  is_sure_ = is_sure;
  if (part_ == Part::nothing) return;
  if (part_ != Part::near) ++turn_;
  frames_deferred_ = is_deferred_ ? frames_deferred_ + 1 : 0;
}

ScanRegion ScanPlan::region(const std::optional<BoundingBox>& box, const ScanGrid& grid) const {
  if (part_ == Part::whole) return kWholeGrid;
  if (part_ == Part::nothing) return {};
  ScanRegion region = box ? region_near(*box, grid, steps_) : ScanRegion{};
  if (part_ == Part::near) return region;
  region.row_interval = interval_;
  region.row_turn = static_cast<int>(turn_ % static_cast<std::uint64_t>(interval_));
  return region;
}

ScanRegion region_near(const BoundingBox& box, const ScanGrid& grid, int steps) {
  const float reach = kReach + kReachOfStep * static_cast<float>(std::min(steps, kMostSteps) - 1);
  const auto is_like = [&](const ScanScale& scale) {
    const float area = static_cast<float>(scale.width) * static_cast<float>(scale.height);
    return std::min(area, box.area()) > kLeastArea * std::max(area, box.area());
  };
  const auto& scales = grid.scales();
  const auto first = std::ranges::find_if(scales, is_like);
  const auto last = std::find_if_not(first, scales.end(), is_like);
  const auto edge = [](float position) { return static_cast<int>(std::lround(position)); };
  return {.left = edge(box.x - reach * box.width),
          .top = edge(box.y - reach * box.height),
          .right = edge(box.right() + reach * box.width),
          .bottom = edge(box.bottom() + reach * box.height),
          .first_size = static_cast<int>(first - scales.begin()),
          .size_count = static_cast<int>(last - first),
          .row_interval = 0,
          .row_turn = 0};
}

}  // namespace cltrack
