// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target.h"

#include <algorithm>
#include <cmath>
#include <utility>

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

Target::Target(const BoundingBox& box, FramePlanes& planes, const TldConfig& config,
               std::uint64_t seed, const Detector::Queues& queues)
    : config_(config),
      queues_(queues),
      random_(seed),
      ferns_(config, random_),
      model_(config),
      grid_width_(box.width),
      grid_height_(box.height),
      detector_(ScanGrid(box.width, box.height, planes.luma.width, planes.luma.height, config),
                ferns_, config, queues_),
      learner_(queues_.learn),
      fern_threshold_(config.fern_threshold),
      nn_threshold_(config.nn_threshold),
      nn_valid_threshold_(config.nn_valid_threshold) {
  learn_first(box, planes);
  ferns_.leave_devices();
}

int Target::flow_window() const {
  if (!estimate_) return config_.flow_window_min;
  const float side = std::min(estimate_->box.width, estimate_->box.height);
  const int window = static_cast<int>(config_.flow_window_ratio * side);
  return std::clamp(window, config_.flow_window_min, config_.flow_window_max) | 1;
}

MedianFlowSettings Target::flow_settings(int largest_window) const {
  return {.points = config_.flow_points,
          .margin = config_.flow_margin,
          .max_error = config_.max_forward_backward,
          .flow = {.window = std::min(flow_window(), largest_window),
                   .iterations = config_.flow_iterations,
                   .epsilon = config_.flow_epsilon}};
}

void Target::flow(const FramePlanes& before, const FramePlanes& now, bool motion) {
  tracked_.reset();
  if (!estimate_ || !motion) return;
  const int window = std::min(before.pyramid.largest_window, now.pyramid.largest_window);
  flowed(median_flow(before.pyramid, now.pyramid, estimate_->box, flow_settings(window)), now);
}

void Target::enqueue_flow(Queue& queue, FramePlanes& before, FramePlanes& now, bool motion) {
  tracked_.reset();
  flow_points_.clear();
  if (!estimate_ || !motion) return;
  const MedianFlowSettings settings = flow_settings(
      std::min(before.device.pyramid.largest_window, now.device.pyramid.largest_window));
  flow_points_ = median_flow_points(estimate_->box, settings);
  device_points_.assign(flow_points_);
  device_window_.assign({&settings.flow.window, 1});
  point_flow(queue, before.device.pyramid, now.device.pyramid, device_points_, device_window_,
             settings.flow.search(), device_tracked_);
  device_tracked_.fetch();
  queue.flush();
}

void Target::collect_flow(const FramePlanes& now) {
  if (flow_points_.empty()) return;
  flowed(median_flow_box(estimate_->box, flow_points_, device_tracked_.host_read(), now.luma.width,
                         now.luma.height, flow_settings(0)),
         now);
}

void Target::flowed(const std::optional<BoundingBox>& box, const FramePlanes& planes) {
  if (!box || is_too_small(*box, detector_.grid(), config_.smallest_box)) return;
  const Similarity similarity = model_.similarity(extract_patch_vector(planes.luma, *box));
  tracked_relative_ = similarity.relative;
  tracked_ = {*box, similarity.conservative,
              estimate_->valid || similarity.conservative > nn_valid_threshold_};
}

// Flow goes on for as long as it finds anything to follow, the background included.
void Target::give_up_unsupported(std::span<const BoundingBox> near) {
  if (!tracked_ || tracked_->valid || tracked_relative_ >= config_.lost_relative ||
      std::ranges::any_of(near, [&](const BoundingBox& window) {
        return overlap(tracked_->box, window) > config_.jump_overlap;
      })) {
    unsupported_frames_ = 0;
  } else if (++unsupported_frames_ >= config_.lost_frames) {
    tracked_.reset();
  }
}

void Target::collect() {
  ferns_.save();
  detector_.collect();
}

std::vector<Detection*> Target::promising_detections() {
  if (tracked_ && tracked_->valid) return {};
  return promising(detector_.detections(), nn_threshold_, config_);
}

void Target::refine(Detection& detection, const FramePlanes& planes) const {
  cltrack::refine(detection, planes.luma, model_);
}

void Target::decide(const FramePlanes& planes, bool learning) {
  std::vector<BoundingBox> near;
  std::vector<ScoredBox> accepted;
  for (const Detection& detection : detector_.detections()) {
    near.push_back(detection.box);
    model_.touch(detection.similarity);
    if (detection.similarity.relative > nn_threshold_) {
      accepted.push_back({detection.box, detection.similarity.conservative});
    }
  }
  give_up_unsupported(near);
  estimate_ = integrate(tracked_, near, accepted, config_);
  lesson_.reset();
  if (!estimate_ || !estimate_->valid) return;
  estimate_->valid = may_learn(estimate_->box, planes);
  if (estimate_->valid && learning) make_lesson(planes);
}

bool Target::may_learn(const BoundingBox& box, const FramePlanes& planes) const {
  const BoundingBox inside = clip_to_frame(box, planes.luma.width, planes.luma.height);
  if (inside.area() < config_.learn_inside * box.area()) return false;
  const Patch patch = extract_patch_vector(planes.luma, box);
  const Similarity similarity = model_.similarity(patch);
  return similarity.relative >= 0.5f && similarity.conservative >= config_.learn_conservative &&
         patch.variance() >= minimum_variance_ && !similarity.known_negative;
}

void Target::make_lesson(const FramePlanes& planes) {
  const BoundingBox& box = estimate_->box;
  const ScanGrid& grid = detector_.grid();
  std::vector<std::uint32_t> windows =
      positive_windows(grid, box, config_.update_warps.closest, config_);
  if (windows.empty()) return;
  const Patch positive = extract_patch_vector(planes.luma, grid.window(windows[0]).box());
  std::vector<FixedWarp> warps = random_warps(grid, windows, config_.update_warps, random_);
  lesson_ = Lesson{box, std::move(windows), std::move(warps)};

  // Patches that a device has compared stay there: few frames need them.
  std::vector<Detection*> far;
  std::vector<Similarity> similarities;
  for (Detection& detection : detector_.detections()) {
    if (overlap(box, detection.box) >= config_.negative_overlap) continue;
    far.push_back(&detection);
    similarities.push_back(detection.similarity);
  }
  const auto patch_of = [&](std::size_t i) -> const Patch& {
    std::optional<Patch>& patch = far[i]->patch;
    if (!patch) patch = extract_patch_vector(planes.luma, far[i]->box);
    return *patch;
  };
  model_.learn(positive, similarities, patch_of, nn_threshold_, random_);
}

void Target::enqueue_lesson() { detector_.enqueue_candidates(); }

void Target::learn(FramePlanes& planes) {
  learner_.teach(*lesson_, planes, detector_, config_, fern_threshold_, ferns_);
}

void Target::make_detector(ScanGrid grid) {
  detector_ = Detector(std::move(grid), ferns_, config_, queues_);
  detector_.set_minimum_variance(minimum_variance_);
  detector_.set_fern_threshold(fern_threshold_);
}

void Target::place(const Detector::Queues& queues) {
  queues_ = queues;
  ferns_.leave_devices();
  learner_ = Learner(queues_.learn);
  device_points_ = {};  // on the device that the flow may have left
  device_window_ = {};
  device_tracked_ = {};
  flow_points_.clear();
  make_detector(detector_.grid());
}

void Target::rescale(float scale_x, float scale_y, int frame_width, int frame_height) {
  const auto within = [](float side, int frame) {
    return std::clamp(side, kMinimumBoxSide, std::max(kMinimumBoxSide, static_cast<float>(frame)));
  };
  grid_width_ = within(grid_width_ * scale_x, frame_width);
  grid_height_ = within(grid_height_ * scale_y, frame_height);
  make_detector(ScanGrid(grid_width_, grid_height_, frame_width, frame_height, config_));
  if (!estimate_) return;
  BoundingBox& box = estimate_->box;
  box = {box.x * scale_x, box.y * scale_y, box.width * scale_x, box.height * scale_y};
}

}  // namespace cltrack
