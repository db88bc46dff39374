// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target.h"

#include <algorithm>
#include <cmath>

#include "tld/learner.h"
#include "tld/refiner.h"

namespace cltrack {

namespace {

bool is_too_small(const BoundingBox& box, const ScanGrid& grid, float smallest) {
  if (grid.scales().empty()) return false;
  const ScanScale& scale = grid.scales().front();
  return std::min(box.width, box.height) <
         smallest * static_cast<float>(std::min(scale.width, scale.height));
}

}  // namespace

Target::Target(const BoundingBox& box, const FramePlanes& planes, const TldConfig& config,
               std::uint64_t seed)
    : config_(config),
      random_(seed),
      ferns_(config, random_),
      model_(config),
      grid_width_(box.width),
      grid_height_(box.height),
      detector_(ScanGrid(box.width, box.height, planes.luma.width, planes.luma.height, config),
                ferns_, config),
      fern_threshold_(config.fern_threshold),
      nn_threshold_(config.nn_threshold),
      nn_valid_threshold_(config.nn_valid_threshold) {
  learn_first(box, planes);
}

int Target::flow_window() const {
  if (!estimate_) return config_.flow_window_min;
  const float side = std::min(estimate_->box.width, estimate_->box.height);
  const int window = static_cast<int>(config_.flow_window_ratio * side);
  return std::clamp(window, config_.flow_window_min, config_.flow_window_max) | 1;
}

Estimate Target::judge(const BoundingBox& box, const FramePlanes& planes) const {
  const Patch patch = extract_patch(planes.luma, box);
  return {box, model_.similarity(patch).conservative, false};
}

void Target::flow(const FramePlanes& before, const FramePlanes& now, bool motion) {
  tracked_.reset();
  if (!estimate_ || !motion) return;
  const int window =
      std::min({flow_window(), before.pyramid.largest_window(), now.pyramid.largest_window()});
  const MedianFlowSettings settings{.points = config_.flow_points,
                                    .margin = config_.flow_margin,
                                    .max_error = config_.max_forward_backward,
                                    .flow = {.window = window,
                                             .iterations = config_.flow_iterations,
                                             .epsilon = config_.flow_epsilon}};
  const auto box = median_flow(before.pyramid, now.pyramid, estimate_->box, settings);
  if (!box || is_too_small(*box, detector_.grid(), config_.smallest_box)) return;
  tracked_ = judge(*box, now);
  tracked_->valid = estimate_->valid || tracked_->confidence > nn_valid_threshold_;
}

void Target::decide(const FramePlanes& planes, bool learning) {
  if (!tracked_ || !tracked_->valid) {
    refine(detector_.detections(), planes.luma, model_, nn_threshold_, config_);
  }
  std::vector<BoundingBox> near;
  std::vector<ScoredBox> accepted;
  for (const Detection& detection : detector_.detections()) {
    near.push_back(detection.box);
    model_.touch(detection.similarity);
    if (detection.similarity.relative > nn_threshold_) {
      accepted.push_back({detection.box, detection.similarity.conservative});
    }
  }
  estimate_ = integrate(tracked_, near, accepted, config_);
  if (estimate_ && estimate_->valid && learning) learn(planes);
}

bool Target::may_learn(const BoundingBox& box, const FramePlanes& planes) const {
  const BoundingBox inside = clip_to_frame(box, planes.luma.width, planes.luma.height);
  if (inside.area() < config_.learn_inside * box.area()) return false;
  const Patch patch = extract_patch(planes.luma, box);
  const Similarity similarity = model_.similarity(patch);
  return similarity.relative >= 0.5f && similarity.conservative >= config_.learn_conservative &&
         patch.variance() >= minimum_variance_ && !similarity.known_negative;
}

void Target::learn(const FramePlanes& planes) {
  const BoundingBox& box = estimate_->box;
  if (!may_learn(box, planes)) {
    estimate_->valid = false;
    return;
  }
  const ScanGrid& grid = detector_.grid();
  const std::vector<std::uint32_t> windows =
      positive_windows(grid, box, config_.update_warps.closest, config_);
  if (windows.empty()) return;

  FernSampleList samples(ferns_.ferns());
  add_positives(detector_, ferns_.ferns(), planes, windows, config_.update_warps, random_, samples);
  std::vector<std::uint32_t> far;
  for (const Candidate& candidate : detector_.candidates()) {
    if (overlap(box, grid.window(candidate.window).box()) < config_.negative_overlap) {
      far.push_back(candidate.window);
    }
  }
  add_negatives(detector_, ferns_.ferns(), planes, far, samples);
  ferns_.train(samples.codes(), samples.positive(), fern_threshold_, config_.bootstrap);

  std::vector<Patch> far_patches;
  for (const Detection& detection : detector_.detections()) {
    if (overlap(box, detection.box) < config_.negative_overlap)
      far_patches.push_back(detection.patch);
  }
  model_.learn(extract_patch(planes.luma, grid.window(windows[0]).box()), far_patches,
               nn_threshold_, random_);
}

void Target::rescale(float scale_x, float scale_y, int frame_width, int frame_height) {
  const auto within = [](float side, int frame) {
    return std::clamp(side, kMinimumBoxSide, std::max(kMinimumBoxSide, static_cast<float>(frame)));
  };
  grid_width_ = within(grid_width_ * scale_x, frame_width);
  grid_height_ = within(grid_height_ * scale_y, frame_height);
  detector_ = Detector(ScanGrid(grid_width_, grid_height_, frame_width, frame_height, config_),
                       ferns_, config_);
  detector_.set_minimum_variance(minimum_variance_);
  if (!estimate_) return;
  BoundingBox& box = estimate_->box;
  box = {box.x * scale_x, box.y * scale_y, box.width * scale_x, box.height * scale_y};
}

}  // namespace cltrack
