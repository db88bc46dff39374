// SPDX-License-Identifier: LGPL-2.1-or-later
#include "motion/filter_window.h"

#include <algorithm>
#include <cmath>

#include "core/box_sizes.h"
#include "ops/filter/sample_windows.h"
#include "ops/filter/translation_filter.h"

namespace cltrack {
namespace {

constexpr float kLeastSide = 2;  // of a box, pixels
constexpr float kMostSide = 1 << 14;

}  // namespace

BoundingBox usable_box(const BoundingBox& box) {
  return with_sides(box, std::clamp(box.width, kLeastSide, kMostSide),
                    std::clamp(box.height, kLeastSide, kMostSide));
}

BoundingBox scaled_box(const BoundingBox& box, float factor) {
  const float least = std::min(kLeastSide / std::min(box.width, box.height), 1.0f);
  const float most = std::max(kMostSide / std::max(box.width, box.height), 1.0f);
  const float within = std::clamp(factor, least, most);
  return scaled(box, within);
}

float filter_window_side(const BoundingBox& box) {
  return static_cast<float>(kFilterArea) * std::sqrt(box.width * box.height);
}

WindowJob filter_window(const BoundingBox& box) {
  const float side = filter_window_side(box);
  return window_job(with_sides(box, side, side), kFilterSide);
}

int samples_in_window(float side, const BoundingBox& box) {
  const float samples = side * static_cast<float>(kFilterSide) / filter_window_side(box);
  return std::clamp(static_cast<int>(std::lround(samples)), 1, kFilterSide);
}

ColorLearnJob color_learn_job(int window, int slot, const BoundingBox& box, float rate) {
  constexpr float kShrink = 0.2f;
  const float less = kShrink * 0.5f * (box.width + box.height);
  const int width = samples_in_window(box.width, box), height = samples_in_window(box.height, box);
  const int inner_width = samples_in_window(std::max(box.width - less, 0.0f), box);
  const int inner_height = samples_in_window(std::max(box.height - less, 0.0f), box);
  const auto begin = [](int length) { return (kFilterSide - length) / 2; };
  return {.window = window,
          .slot = slot,
          .inner_left = begin(inner_width),
          .inner_top = begin(inner_height),
          .inner_right = begin(inner_width) + inner_width,
          .inner_bottom = begin(inner_height) + inner_height,
          .outer_left = begin(width),
          .outer_top = begin(height),
          .outer_right = begin(width) + width,
          .outer_bottom = begin(height) + height,
          .rate = rate};
}

}  // namespace cltrack
