// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace cltrack {
namespace {

struct Hull {
  int left = std::numeric_limits<int>::max();
  int top = std::numeric_limits<int>::max();
  int right = std::numeric_limits<int>::min();
  int bottom = std::numeric_limits<int>::min();

  void include(const Window& window) {
    left = std::min(left, window.x);
    top = std::min(top, window.y);
    right = std::max(right, window.x + window.width);
    bottom = std::max(bottom, window.y + window.height);
  }
};

// A random warp about the centre of the hull, within the ranges of `config`.
Warp random_warp(const Hull& hull, const WarpConfig& config, Random& random) {
  Warp warp;
  warp.center_x = 0.5f * static_cast<float>(hull.left + hull.right - 1);
  warp.center_y = 0.5f * static_cast<float>(hull.top + hull.bottom - 1);
  const float scale = 1 - config.scale * random.uniform(-0.5f, 0.5f);
  const float angle =
      config.angle * random.uniform(-0.5f, 0.5f) * std::numbers::pi_v<float> / 180.0f;
  warp.matrix[0] = scale * std::cos(angle);
  warp.matrix[1] = -scale * std::sin(angle);
  warp.matrix[2] = scale * std::sin(angle);
  warp.matrix[3] = scale * std::cos(angle);
  warp.shift_x =
      config.shift * static_cast<float>(hull.right - hull.left) * random.uniform(-0.5f, 0.5f);
  warp.shift_y =
      config.shift * static_cast<float>(hull.bottom - hull.top) * random.uniform(-0.5f, 0.5f);
  warp.noise = config.noise;
  warp.seed = random.bits();
  return warp;
}

}  // namespace

std::uint16_t* FernSampleList::add(bool positive) {
  positive_.push_back(positive ? 1 : 0);
  codes_.resize(codes_.size() + ferns_);
  return codes_.data() + codes_.size() - ferns_;
}

void FernSampleList::shuffle(Random& random) {
  for (std::size_t i = size(); i > 1; --i) {
    const std::size_t j = random.below(static_cast<std::uint32_t>(i));
    std::swap(positive_[i - 1], positive_[j]);
    const auto a = codes_.begin() + static_cast<std::ptrdiff_t>((i - 1) * ferns_);
    const auto b = codes_.begin() + static_cast<std::ptrdiff_t>(j * ferns_);
    if (a != b) std::swap_ranges(a, a + static_cast<std::ptrdiff_t>(ferns_), b);
  }
}

void add_positives(const Detector& detector, int ferns, const FramePlanes& planes,
                   std::span<const std::uint32_t> windows, const WarpConfig& config, Random& random,
                   FernSampleList& samples) {
  const ScanGrid& grid = detector.grid();
  Hull hull;
  for (const std::uint32_t w : windows) hull.include(grid.window(w));
  for (int i = 0; i < config.warps; ++i) {
    const Warp warp = i == 0 ? Warp{} : random_warp(hull, config, random);
    for (const std::uint32_t w : windows) {
      const Window window = grid.window(w);
      const auto& pairs = detector.pairs(grid.scale_of(w));
      std::uint16_t* codes = samples.add(true);
      if (i == 0) {
        fern_codes(planes.blurred.view(), window.x, window.y, pairs, ferns, codes);
      } else {
        warped_fern_codes(planes.blurred.view(), window.x, window.y, pairs, ferns, warp, codes);
      }
    }
  }
}

void add_negatives(const Detector& detector, int ferns, const FramePlanes& planes,
                   std::span<const std::uint32_t> windows, FernSampleList& samples) {
  const ScanGrid& grid = detector.grid();
  for (const std::uint32_t w : windows) {
    const Window window = grid.window(w);
    fern_codes(planes.blurred.view(), window.x, window.y, detector.pairs(grid.scale_of(w)), ferns,
               samples.add(false));
  }
}

std::vector<std::uint32_t> positive_windows(const ScanGrid& grid, const BoundingBox& box, int count,
                                            const TldConfig& config) {
  std::vector<WindowOverlap> overlaps = grid.overlapping(box, config.positive_overlap);
  if (overlaps.empty()) {
    overlaps = grid.overlapping(box, 0);
    overlaps.resize(std::min<std::size_t>(overlaps.size(), 1));
  }
  std::vector<std::uint32_t> windows;
  for (const WindowOverlap& o : overlaps) {
    if (std::ssize(windows) == count) break;
    windows.push_back(o.window);
  }
  return windows;
}

}  // namespace cltrack
