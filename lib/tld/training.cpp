// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/training.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <utility>

#include "ops/patches/extract_patches.h"

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

std::vector<FixedWarp> random_warps(const ScanGrid& grid, std::span<const std::uint32_t> windows,
                                    const WarpConfig& config, Random& random) {
  Hull hull;
  for (const std::uint32_t w : windows) hull.include(grid.window(w));
  std::vector<FixedWarp> warps = {fixed_warp({})};
  while (std::ssize(warps) < config.warps) {
    warps.push_back(fixed_warp(random_warp(hull, config, random)));
  }
  return warps;
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

BoundingBox positive_box(const ScanGrid& grid, const BoundingBox& box,
                         std::span<const std::uint32_t> windows) {
  return windows.empty() || grid.is_coarse() ? box : grid.window(windows[0]).box();
}

std::optional<TrainingSet> learn_box(const BoundingBox& box, const ScanGrid& grid,
                                     const Plane& luma, std::span<const Detection> found,
                                     const TldConfig& config, TargetModel& model) {
  std::vector<std::uint32_t> windows =
      positive_windows(grid, box, config.update_warps.closest, config);
  if (windows.empty()) return std::nullopt;
  const Patch positive = extract_patch(luma, positive_box(grid, box, windows));
  std::vector<FixedWarp> warps = random_warps(grid, windows, config.update_warps, model.random);

  std::vector<BoundingBox> far;
  std::vector<PatchSimilarity> similarities;
  for (const Detection& detection : found) {
    if (overlap(box, detection.box) >= config.negative_overlap) continue;
    far.push_back(detection.box);
    similarities.push_back(detection.similarity);
  }
  // Few frames need them.
  std::vector<std::optional<Patch>> patches(far.size());
  const auto patch_of = [&](std::size_t i) -> const Patch& {
    if (!patches[i]) patches[i] = extract_patch(luma, far[i]);
    return *patches[i];
  };
  model.patches.learn(positive, similarities, patch_of, model.nn_threshold, model.random);
  return TrainingSet{box, std::move(windows), std::move(warps)};
}

}  // namespace cltrack
