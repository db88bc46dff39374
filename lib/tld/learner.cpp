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
#include "ops/ferns/fern_codes.h"

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
  const CodeJob job = {.first_listed = 0,
                       .listed = static_cast<std::uint32_t>(windows.size()),
                       .first_warp = 0,
                       .warps = static_cast<std::uint32_t>(warps.size()),
                       .first_sample = static_cast<std::uint32_t>(first),
                       .first_size = 0,
                       .size_count = static_cast<int>(detector.windows().sizes.size()),
                       .frame = 0};
  code_jobs_.assign({&job, 1});
  fern_codes(*queue_, planes.device.blurred, detector.windows(), windows_, warps_, code_jobs_,
             ferns, codes);
}

LearnJob Learner::job_of(Detector& detector, const BoundingBox& box, std::size_t positives,
                         std::size_t room, std::uint32_t positive_score) {
  const ScanWindows& windows = detector.windows();
  return {.first_window = windows.first,
          .window_count = windows.count,
          .first_size = 0,
          .size_count = static_cast<int>(windows.sizes.size()),
          .first_sample = 0,
          .positives = static_cast<std::uint32_t>(positives),
          .tables = 0,
          .positive_score = positive_score,
          .x = box.x,
          .y = box.y,
          .width = box.width,
          .height = box.height,
          .frame = 0,
          .room = static_cast<std::uint32_t>(room)};
}

CandidateArrays& Learner::candidates_of(Detector& detector, int ferns) {
  if (on_device() || detector.scans_on_device()) return detector.candidate_arrays();
  CandidateList all;
  for (const CandidateList& list : detector.candidates()) {
    all.windows.insert(all.windows.end(), list.windows.begin(), list.windows.end());
    all.codes.insert(all.codes.end(), list.codes.begin(), list.codes.end());
  }
  joined_.resize(ferns, all.windows.size());
  joined_.windows.assign(all.windows);
  joined_.codes.assign(all.codes);
  joined_.count.host_write()[0] = static_cast<std::uint32_t>(all.windows.size());
  return joined_;
}

void Learner::teach(const Lesson& lesson, FramePlanes& planes, Detector& detector,
                    const TldConfig& config, float positive_score, FernEnsemble& ferns) {
  const std::size_t positives = lesson.windows.size() * lesson.warps.size();
  const CandidateArrays& candidates = candidates_of(detector, ferns.ferns());
  const LearnJob job = job_of(detector, lesson.box, positives, candidates.windows.size(),
                              ferns.score(positive_score));
  samples_.assign(ferns.ferns(), {&job, 1});
  look(lesson.windows, lesson.warps, planes, detector, ferns.ferns(), 0, samples_.codes);
  far_candidates(*queue_, candidates, detector.windows(), ferns.pairs(),
                 {config.negative_overlap, ferns.negative_score()}, samples_);
  ferns.train(*queue_, samples_, config.bootstrap);
  // For the next scan.
  if (detector.learns_elsewhere()) ferns.tables().posteriors.fetch();
  queue_->flush();
}

void Learner::teach_first(const Lesson& positives, std::span<const std::uint32_t> negatives,
                          FramePlanes& planes, Detector& detector, const TldConfig& config,
                          Random& random, FernEnsemble& ferns) {
  const std::size_t count = positives.windows.size() * positives.warps.size();
  const LearnJob job =
      job_of(detector, positives.box, count, negatives.size(), ferns.score(config.fern_threshold));
  samples_.assign(ferns.ferns(), {&job, 1});
  look(positives.windows, positives.warps, planes, detector, ferns.ferns(), 0, samples_.codes);
  const FixedWarp none = fixed_warp({});
  look(negatives, {&none, 1}, planes, detector, ferns.ferns(), count, samples_.codes);
  std::vector<std::uint32_t> order(count + negatives.size());
  std::iota(order.begin(), order.end(), 0u);
  random.shuffle(order);
  ferns.train(*queue_, samples_, order, config.bootstrap);
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
