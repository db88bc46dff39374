// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target.h"

#include <algorithm>
#include <utility>

#include "cltrack/tracker.h"
#include "ops/patches/patch.h"
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

Target::Target(std::uint64_t id, FirstFrame first, ScanGrid grid, const TldConfig& config)
    : id_(id),
      config_(config),
      model_(std::move(first.model)),
      grid_(std::move(grid)),
      estimate_(Estimate{first.box, 1, true}) {}

void Target::move_to(const BoundingBox& box) {
  estimate_ = {box, 1, true};
  unsupported_frames_ = 0;
  training_.reset();
}

void Target::set_motion(const std::optional<BoundingBox>& box, const FramePlanes& planes) {
  moved_.reset();
  if (!box || is_too_small(*box, grid_, config_.smallest_box)) return;
  const Similarity similarity =
      model_.patches.similarity(vector::extract_patch(planes.luma.host_view(), *box));
  moved_relative_ = similarity.relative;
  moved_ = {*box, similarity.conservative,
            estimate_->valid || similarity.conservative > model_.nn_valid_threshold};
}

// Motion goes on for as long as it finds anything to follow, the background included.
void Target::give_up_unsupported(std::span<const BoundingBox> near) {
  if (!moved_ || moved_->valid || moved_relative_ >= config_.lost_relative ||
      std::ranges::any_of(near, [&](const BoundingBox& window) {
        return overlap(moved_->box, window) > config_.jump_overlap;
      })) {
    unsupported_frames_ = 0;
  } else if (++unsupported_frames_ >= config_.lost_frames) {
    moved_.reset();
  }
}

std::vector<Detection*> Target::promising_detections() {
  if (moved_ && moved_->valid) return {};
  return promising(detections_, model_.nn_threshold, config_);
}

void Target::refine(Detection& detection, const FramePlanes& planes) const {
  cltrack::refine(detection, planes.luma.host_view(), model_.patches);
}

void Target::decide(const FramePlanes& planes, bool learning) {
  std::vector<BoundingBox> near;
  std::vector<ScoredBox> accepted;
  for (const Detection& detection : detections_) {
    near.push_back(detection.box);
    model_.patches.touch(detection.similarity);
    if (detection.similarity.relative > model_.nn_threshold) {
      accepted.push_back({detection.box, detection.similarity.conservative});
    }
  }
  give_up_unsupported(near);
  estimate_ = integrate(moved_, near, accepted, config_);
  training_.reset();
  if (!estimate_ || !estimate_->valid) return;
  estimate_->valid = may_learn(estimate_->box, planes);
  if (estimate_->valid && learning) learn(planes);
}

bool Target::may_learn(const BoundingBox& box, const FramePlanes& planes) const {
  const BoundingBox inside = clip_to_frame(box, planes.luma.width(), planes.luma.height());
  if (inside.area() < config_.learn_inside * box.area()) return false;
  const Patch patch = vector::extract_patch(planes.luma.host_view(), box);
  const Similarity similarity = model_.patches.similarity(patch);
  return similarity.relative >= 0.5f && similarity.conservative >= config_.learn_conservative &&
         patch.variance() >= model_.minimum_variance && !similarity.known_negative;
}

void Target::learn(const FramePlanes& planes) {
  const BoundingBox& box = estimate_->box;
  std::vector<std::uint32_t> windows =
      positive_windows(grid_, box, config_.update_warps.closest, config_);
  if (windows.empty()) return;
  const ImageView luma = planes.luma.host_view();
  const Patch positive = vector::extract_patch(luma, grid_.window(windows[0]).box());
  std::vector<FixedWarp> warps = random_warps(grid_, windows, config_.update_warps, model_.random);
  training_ = TrainingSet{box, std::move(windows), std::move(warps)};

  std::vector<BoundingBox> far;
  std::vector<Similarity> similarities;
  for (const Detection& detection : detections_) {
    if (overlap(box, detection.box) >= config_.negative_overlap) continue;
    far.push_back(detection.box);
    similarities.push_back(detection.similarity);
  }
  // Few frames need them.
  std::vector<std::optional<Patch>> patches(far.size());
  const auto patch_of = [&](std::size_t i) -> const Patch& {
    if (!patches[i]) patches[i] = vector::extract_patch(luma, far[i]);
    return *patches[i];
  };
  model_.patches.learn(positive, similarities, patch_of, model_.nn_threshold, model_.random);
}

void Target::rescale(float scale_x, float scale_y, int frame_width, int frame_height) {
  const auto within = [](float side, int frame) {
    return std::clamp(side, kMinimumBoxSide, std::max(kMinimumBoxSide, static_cast<float>(frame)));
  };
  model_.width = within(model_.width * scale_x, frame_width);
  model_.height = within(model_.height * scale_y, frame_height);
  grid_ = ScanGrid(model_.width, model_.height, frame_width, frame_height, config_);
  ++grid_version_;
  if (!estimate_) return;
  BoundingBox& box = estimate_->box;
  box = {box.x * scale_x, box.y * scale_y, box.width * scale_x, box.height * scale_y};
}

}  // namespace cltrack
