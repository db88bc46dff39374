// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/box_sizes.h"
#include "core/owners.h"
#include "tld/flow_decision.h"
#include "tld/presence_decision.h"

namespace cltrack {
namespace {

constexpr OnePlace kOnePlace{overlap, 0.5f};
constexpr OnePlace kPartOfPlace{share_of_smaller, 0.5f};

}  // namespace

Target::Target(std::uint64_t id, TargetModel model, ScanGrid grid, const TldConfig& config)
    : id_(id), config_(config), model_(std::move(model)), grid_(std::move(grid)), plan_(id) {
  if (config_.motion == kCorrelation) {
    decision_ = std::make_unique<PresenceDecision>(config_, state_, view_, identity_);
  } else {
    decision_ = std::make_unique<FlowDecision>(config_, state_, view_);
  }
}

Target::Target(std::uint64_t id, FirstFrame first, ScanGrid grid, const TldConfig& config)
    : Target(id, std::move(first.model), std::move(grid), config) {
  given_ = relative_to(first.box, first.given);
  state_.put(first.box);
}

Sighting Target::report() const {
  Sighting sighting = state_.report();
  sighting.box = placed_in(sighting.box, given_);
  return sighting;
}

void Target::move_to(const BoundingBox& box) {
  state_.put(box);  // motion begins anew at `box`: what it has learnt would lead back
  given_ = {0, 0, 1, 1};
  model_.shown.clear();
  compensation_.reset();
  decision_->reset();
  identity_.reset();
  plan_.end(false);
  training_.reset();
  updates_motion_ = reinitialises_motion_ = false;
}

void Target::follow_camera(const Point& shift, int width, int height) {
  const BoundingBox box = *state_.box();
  const Point move = compensation_.begin_frame(shift, box, is_seen());
  if (shift.x == 0 && shift.y == 0) return;
  // Its middle stays in the picture, of which something must be in the box.
  const auto moved = [](float middle, float by, int size) {
    const auto last = static_cast<float>(size);
    return std::clamp(middle + by, std::min(middle, 0.0f), std::max(middle, last)) - middle;
  };
  state_.move_by(moved(box.center_x(), move.x, width), moved(box.center_y(), move.y, height));
  decision_->move_places(shift);
  identity_.move_distractors(shift.x, shift.y);
}

bool Target::needs_detector() const {
  return config_.motion != kCorrelation || !is_followed() || !plan_.is_sure() ||
         estimate()->confidence < kSurePresence;
}

void Target::set_found(const std::optional<Motion>& motion,
                       std::optional<std::vector<Detection>> detections, const FramePlanes& planes,
                       std::optional<NetworkFindings> findings) {
  // Where it was put on this frame its age begins with the next one, as a new target's.
  if (state_.has_begun()) state_.begin_frame();
  view_.begin_frame(planes, std::move(detections), std::move(findings));
  if (!motion) {
    decision_->find(nullptr, "motion");
  } else if (std::min(motion->box.width, motion->box.height) <
             config_.smallest_box * grid_.shortest_side()) {
    decision_->find(nullptr, "size");
  } else {
    decision_->find(&*motion, "");
  }
}

void Target::verify(const BoundingBox& place, const std::optional<Motion>& motion,
                    bool may_be_there, const std::optional<NetworkFindings>& findings) {
  if (!motion) return;
  const bool is_owned = std::ranges::any_of(
      owned_, [&](const BoundingBox& box) { return kPartOfPlace.has(motion->box, box); });
  decision_->verify(place, *motion, is_owned || !may_be_there, findings);
}

// To the place where motion has led.
auto Target::claim() const {
  const float presence = hypotheses().here->presence;
  return PlaceClaim{
      std::tuple(!has_yielded_, state_.settled_frames(), presence, -static_cast<std::int64_t>(id_)),
      presence >= config_.verify_presence};
}

void Target::find_owners(std::span<Target* const> targets) {
  owned_.clear();
  yields_ = false;
  const std::optional<Hypothesis>& here = hypotheses().here;
  const bool is_first = state_.age() == 1;
  if (is_first) initial_overlaps_.clear();
  for (const Target* other : targets) {
    const std::optional<Hypothesis>& there = other->hypotheses().here;
    if (other == this || !there) continue;
    const BoundingBox& box = there->box;
    if (is_first && here && kPartOfPlace.has(here->box, box)) {
      initial_overlaps_.push_back(other->id_);
    }
    if (!other->claim().is_sure ||
        std::ranges::find(initial_overlaps_, other->id_) != initial_overlaps_.end() ||
        std::ranges::find(other->initial_overlaps_, id_) != other->initial_overlaps_.end()) {
      continue;
    }
    if (!here || !kOnePlace.has(here->box, box)) {
      owned_.push_back(box);
    } else if (yields(claim(), other->claim())) {
      owned_.push_back(box);
      yields_ = true;
    }
  }
}

void Target::yield_to_owners() {
  has_yielded_ = yields_;
  if (yields_) decision_->refuse_motion();
}

std::vector<Detection*> Target::promising_detections() {
  if (decision_->is_sure()) return {};
  return promising(view_.detections(), model_.nn_threshold, config_);
}

void Target::refine(Detection& detection) const {
  const ScanScale& scale = grid_.scales()[grid_.scale_of(detection.window)];
  cltrack::refine(detection, view_.luma(), model_.patches, scale.shift);
}

void Target::decide(bool learning) {
  training_.reset();
  for (const Detection& detection : view_.detections()) {
    model_.patches.touch(detection.similarity);
  }
  Outcome outcome = decision_->decide(learning);
  outcome.evidence.yields = yields_;
  state_.transition(outcome.evidence);
  updates_motion_ = outcome.updates_motion;
  reinitialises_motion_ = outcome.reinitialises_motion;
  if (outcome.learns && view_.has_scan()) {
    training_ =
        learn_box(estimate()->box, grid_, view_.luma(), view_.detections(), config_, model_);
  }
  compensation_.end_frame(is_seen() && !outcome.evidence.has_jumped ? state_.box() : std::nullopt);
  const std::optional<Hypothesis>& here = hypotheses().here;
  plan_.end(estimate() && estimate()->valid && here && here->evidence.support > 0);
}

void Target::begin(const FramePlanes& planes) {
  state_.begin();
  identity_.start(Appearance::of(planes.picture_of(estimate()->box), estimate()->box));
}

void Target::observe_others(std::span<Target* const> targets) {
  for (const Target* other : targets) {
    if (other != this) identity_.observe(other->identity_);
  }
  identity_.end_frame();
}

void Target::rescale(float scale_x, float scale_y, int frame_width, int frame_height) {
  model_.resize(model_.width * scale_x, model_.height * scale_y, frame_width, frame_height);
  grid_ = ScanGrid(model_.width, model_.height, frame_width, frame_height, config_);
  ++grid_version_;
  identity_.forget_distractors();
  state_.rescale(scale_x, scale_y);
}

}  // namespace cltrack
