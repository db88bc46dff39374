// SPDX-License-Identifier: LGPL-2.1-or-later
// The view that a frame has of a target: the windows that the detector has found, and what boxes
// look like.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"
#include "cltrack/tld_config.h"
#include "identity/appearance.h"
#include "tld/frame_planes.h"
#include "tld/integrator.h"
#include "tld/network_search.h"
#include "tld/object_model.h"
#include "tld/target_model.h"

namespace cltrack {

class TargetView {
 public:
  // Both have to stay where they are.
  TargetView(const TldConfig& config, const TargetModel& model) : config_(config), model_(model) {}

  // `planes` stay valid until the frame ends. `detections`: nothing if there was no scan.
  // `findings`: of a network around where the target was; nothing if it was not asked.
  void begin_frame(const FramePlanes& planes, std::optional<std::vector<Detection>> detections,
                   std::optional<NetworkFindings> findings = {});

  const TargetModel& model() const { return model_; }
  const std::optional<NetworkFindings>& findings() const { return findings_; }
  bool has_scan() const { return has_scan_; }
  // Windows that passed the ferns.
  std::vector<Detection>& detections() { return detections_; }
  // Those with more than this relative similarity, where the target may be found.
  std::vector<ScoredBox> detections_above(float relative) const;
  // Enough of it for places that motion looks at, too.
  float lost_threshold() const { return model_.nn_threshold - kLostMargin; }
  // How many there are around a box.
  int support(const BoundingBox& box) const;

  // The look of a box, computed once.
  const std::optional<Appearance>& appearance(const BoundingBox& box);
  PatchSimilarity similarity(const BoundingBox& box);
  // The share of it that is in the picture, and whether that is so much.
  float inside(const BoundingBox& box) const { return part_inside(box).area() / box.area(); }
  bool is_inside(const BoundingBox& box, float share) const {
    return part_inside(box).area() >= share * box.area();
  }
  // Whether it may be learnt as the target. `is_placed`: somebody has said that the target is
  // there, whatever it looks like.
  bool may_learn(const BoundingBox& box, bool is_placed = false);

  const Plane& luma() const { return planes_->luma; }

 private:
  BoundingBox part_inside(const BoundingBox& box) const {
    return clip_to_frame(box, planes_->luma.width(), planes_->luma.height());
  }
  const Patch& patch(const BoundingBox& box);

  static constexpr float kLostMargin = 0.3f;

  const TldConfig& config_;
  const TargetModel& model_;
  const FramePlanes* planes_ = nullptr;
  std::optional<NetworkFindings> findings_;
  bool has_scan_ = false;
  std::vector<Detection> detections_;
  std::deque<std::pair<BoundingBox, Patch>> patches_;
  std::deque<std::pair<BoundingBox, std::optional<Appearance>>> appearances_;
};

}  // namespace cltrack
