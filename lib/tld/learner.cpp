// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/learner.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>

#include "ops/ferns/far_candidates.h"

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

Learner::Learner(std::shared_ptr<Queue> queue)
    : queue_(queue ? std::move(queue) : Device::host()->make_queue()) {}

void Learner::look(std::span<const std::uint32_t> windows, std::span<const FixedWarp> warps,
                   FramePlanes& planes, Detector& detector, int ferns, std::size_t first,
                   Array<std::uint16_t>& codes) {
  windows_.assign(windows);
  warps_.assign(warps);
  fern_codes(*queue_, planes.device.blurred, detector.windows(), windows_, warps_, ferns, first,
             codes);
}

void Learner::teach(const Lesson& lesson, FramePlanes& planes, Detector& detector,
                    const TldConfig& config, float positive_score, FernEnsemble& ferns) {
  const std::size_t positives = lesson.windows.size() * lesson.warps.size();
  const FarCandidates which{config.negative_overlap, ferns.negative_score()};
  const auto look_at_positives = [&](std::size_t most_negatives) {
    samples_.resize(ferns.ferns(), positives, most_negatives);
    look(lesson.windows, lesson.warps, planes, detector, ferns.ferns(), 0, samples_.codes);
  };
  if (on_device() || detector.scans_on_device()) {
    CandidateArrays& candidates = detector.candidate_arrays();
    look_at_positives(candidates.windows.size());
    far_candidates(*queue_, candidates, detector.windows(), ferns.pairs(), lesson.box, which,
                   samples_);
  } else {
    const std::vector<CandidateView> lists(detector.candidates().begin(),
                                           detector.candidates().end());
    std::size_t most = 0;
    for (const CandidateView& list : lists) most += list.windows.size();
    look_at_positives(most);
    far_candidates_host(lists, detector.windows(), ferns.pairs(), lesson.box, which, samples_);
  }
  ferns.train(*queue_, samples_, positive_score, config.bootstrap);
  // For the next scan.
  if (detector.learns_elsewhere()) ferns.tables().posteriors.fetch();
  queue_->flush();
}

void Learner::teach_first(const Lesson& positives, std::span<const std::uint32_t> negatives,
                          FramePlanes& planes, Detector& detector, const TldConfig& config,
                          Random& random, FernEnsemble& ferns) {
  const std::size_t count = positives.windows.size() * positives.warps.size();
  samples_.resize(ferns.ferns(), count, negatives.size());
  look(positives.windows, positives.warps, planes, detector, ferns.ferns(), 0, samples_.codes);
  const FixedWarp none = fixed_warp({});
  look(negatives, {&none, 1}, planes, detector, ferns.ferns(), count, samples_.codes);
  std::vector<std::uint32_t> order(count + negatives.size());
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  ferns.train(*queue_, samples_, order, config.fern_threshold, config.bootstrap);
}

float Learner::highest_confidence(std::span<const std::uint32_t> windows, FramePlanes& planes,
                                  Detector& detector, FernEnsemble& ferns) {
  const auto each = static_cast<std::size_t>(ferns.ferns());
  Array<std::uint16_t> codes(windows.size() * each);
  const FixedWarp none = fixed_warp({});
  look(windows, {&none, 1}, planes, detector, ferns.ferns(), 0, codes);
  const std::uint16_t* own = codes.host_read().data();
  float highest = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    highest = std::max(highest, ferns.confidence(own + i * each));
  }
  return highest;
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
