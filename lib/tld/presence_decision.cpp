// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence_decision.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/box_sizes.h"

namespace cltrack {
namespace {

// More like what is not the target.
bool resembles_negatives(const PatchSimilarity& similarity) { return similarity.relative < 0.5f; }

// See Evidence.
float response_drop(float before, float filter_ratio) {
  constexpr float kFading = 0.99f, kMost = 2;
  const float drop = filter_ratio > 0 ? -std::log(filter_ratio) : kMost;
  return std::max(kFading * before, std::min(drop, kMost));
}

// Motion drifts bit by bit, and what it learns drifts with it. A network does not learn: where it
// means the same place, the box is drawn towards its own, as far as it would have been on `frames`
// frames. It knows sizes less well than places; but where it means another size by far, the filter
// has not followed a change.
BoundingBox join(const BoundingBox& box, const std::optional<NetworkFindings>& findings,
                 int frames) {
  constexpr float kSure = 0.5f;  // score
  constexpr float kShareOfPlace = 0.3f, kShareOfSize = 0.1f, kShareOfOtherSize = 0.5f;
  constexpr float kSameArea = 0.1f, kOtherArea = 0.25f;  // logarithms of ratios
  const auto found = findings ? findings->place_at(box) : std::nullopt;
  if (!found || found->score < kSure) return box;
  const BoundingBox& other = found->box;
  const auto share = [frames](double of_frame) { return 1 - std::pow(1.0 - of_frame, frames); };
  const auto of_place = static_cast<float>(share(kShareOfPlace));
  const float change = std::abs(std::log(other.area() / box.area()));
  const float other_size = std::clamp((change - kSameArea) / (kOtherArea - kSameArea), 0.0f, 1.0f);
  const auto of_size =
      static_cast<float>(share(std::lerp(kShareOfSize, kShareOfOtherSize, other_size)));
  BoundingBox joined = box;
  joined.x += of_place * (other.center_x() - box.center_x());
  joined.y += of_place * (other.center_y() - box.center_y());
  return with_sides(joined, std::lerp(box.width, other.width, of_size),
                    std::lerp(box.height, other.height, of_size));
}

}  // namespace

void PresenceDecision::reset() {
  negative_frames_ = 0;
  response_drop_ = 0;
  follower_.reset();
  network_score_.reset();
  baseline_ = {};
  selection_.reset();
}

void PresenceDecision::find(const Motion* motion, const char* no_motion) {
  hypotheses_ = {};
  has_switched_ = false;
  no_motion_ = no_motion;
  followed_.reset();
  if (motion == nullptr) {
    follower_.begin_frame(std::nullopt, view_.findings());
    return;
  }
  quality_ = *motion->quality;
  const Motion joined = {join(motion->box, view_.findings(), unasked_frames_ + 1), motion->quality};
  Hypothesis& here = hypotheses_.here.emplace(hypothesis(joined, view_.findings(), true));
  has_switched_ =
      identity_.has_switched(here.evidence.identity) && may_have_switched(here.evidence);
  if (state_.lets_motion_go(has_switched_)) here.presence = 0;
  follower_.begin_frame(here.box, view_.findings());
}

Hypothesis PresenceDecision::hypothesis(const Motion& motion,
                                        const std::optional<NetworkFindings>& findings,
                                        bool is_here) {
  const BoundingBox& box = motion.box;
  const std::optional<Estimate>& before = state_.estimate();
  const int negative_frames = is_here ? negative_frames_ : 0;  // in a row before this one
  const bool is_trusted = before && before->confidence >= config_.update_presence;  // then
  const ResponseBaseline::Ratios ratios = baseline_.compare(*motion.quality);
  const PatchSimilarity similarity = view_.similarity(box);
  Evidence evidence = {.filter_ratio = ratios.filter,
                       .filter_psr = motion.quality->filter_psr,
                       .color_ratio = ratios.color_psr,
                       .color_weight = ratios.color_weight,
                       .color_level = is_here && is_trusted ? 1 : ratios.color,
                       .conservative = similarity.conservative,
                       .support = view_.has_scan() ? view_.support(box) : support_,
                       .negative_frames = resembles_negatives(similarity) ? negative_frames + 1 : 0,
                       .inside = view_.inside(box),
                       .identity = identity_.compare(box, is_here),
                       .is_here = is_here,
                       .is_elsewhere = !is_here || state_.may_be_anywhere()};
  if (findings) {
    if (const auto place = findings->place_at(box)) evidence.network_score = place->score;
  } else if (is_here) {
    evidence.network_score = network_score_;
  }
  if (is_here) {
    evidence.age = state_.age();
    evidence.response_drop = response_drop(response_drop_, ratios.filter);
  }
  return {.box = box, .presence = presence(evidence), .evidence = evidence};
}

bool PresenceDecision::is_sure() const {
  const std::optional<Hypothesis>& here = hypotheses_.here;
  return here && here->presence >= config_.verify_presence && here->evidence.support > 0;
}

std::vector<BoundingBox> PresenceDecision::propose() {
  if (!state_.has_begun()) return {};
  const bool is_lost = state_.is_long_lost();
  std::vector<BoundingBox> places;
  if (view_.has_scan()) {
    // While the target is lost, the threshold is lower: the filter verifies the places.
    const float least = is_lost ? view_.lost_threshold() : view_.model().nn_threshold;
    places = selection_.propose_candidates(
        hypotheses_.here, is_lost, cluster(view_.detections_above(least), config_.cluster_overlap));
  } else {
    places = selection_.propose_candidates(hypotheses_.here, is_lost);
  }
  if (follower_.place()) places.push_back(*follower_.place());
  return places;
}

// The filter need not know the target where the network follows it.
void PresenceDecision::verify(const BoundingBox& place, const Motion& motion, bool is_refused,
                              const std::optional<NetworkFindings>& findings) {
  constexpr float kSame = 0.5f;  // overlap
  Motion there = motion;
  if (findings && follower_.place() == place && follower_.follow(*findings)) {
    if (overlap(motion.box, *follower_.place()) < kSame) there.box = *follower_.place();
    followed_ = there.box;
  }
  hypotheses_.elsewhere.push_back(hypothesis(there, findings, false));
  if (is_refused) hypotheses_.elsewhere.back().presence = 0;
}

// A target that motion knows nothing of is where the detector is surest of one place alone.
std::optional<Estimate> PresenceDecision::find_again() const {
  const TargetModel& model = view_.model();
  const std::vector<ScoredBox> found =
      cluster(view_.detections_above(model.nn_threshold), config_.cluster_overlap);
  const auto best = std::ranges::max_element(found, std::less(), &ScoredBox::confidence);
  if (best == found.end() || best->confidence < model.nn_valid_threshold) return state_.estimate();
  return Estimate{best->box, config_.lost_presence, false};
}

// The chosen place, if motion has looked at it.
const Hypothesis* PresenceDecision::chosen(const Verdict& verdict) const {
  if (!verdict.has_jumped) return hypotheses_.here ? &*hypotheses_.here : nullptr;
  const auto found =
      std::ranges::find(hypotheses_.elsewhere, verdict.estimate->box, &Hypothesis::box);
  return found != hypotheses_.elsewhere.end() ? &*found : nullptr;
}

// For the frames to come on which the network is not asked.
void PresenceDecision::remember_network(const StateEvidence& now) {
  const bool is_asked = view_.findings().has_value();
  unasked_frames_ = !is_asked && network_score_ ? unasked_frames_ + 1 : 0;
  const bool is_sure = now.is_right && now.here != nullptr && now.presence >= kSurePresence &&
                       !follower_.place() && is_sure_network(now.here->evidence);
  if (!is_sure || unasked_frames_ >= config_.network_interval) {
    network_score_.reset();
  } else if (is_asked) {
    network_score_ = now.here->evidence.network_score;
  }
}

Outcome PresenceDecision::decide(bool learning) {
  if (!state_.has_begun()) return {.evidence = {.estimate = find_again()}};
  const Verdict verdict = selection_.decide(state_.box(), hypotheses_.elsewhere);
  const std::optional<Estimate>& estimate = verdict.estimate;
  // The filter had let go of the target: it has learnt something else.
  const bool takes_network = verdict.has_jumped && followed_ == estimate->box;
  if (verdict.has_jumped) follower_.reset();
  const bool starts_filter = verdict.reinitialise_filter || takes_network;
  const Hypothesis* const here = hypotheses_.here ? &*hypotheses_.here : nullptr;
  Outcome outcome = {.evidence = {.estimate = estimate,
                                  .presence = estimate ? estimate->confidence : 0,
                                  .here = here,
                                  .place = chosen(verdict),
                                  .has_jumped = verdict.has_jumped,
                                  .has_switched = has_switched_,
                                  .no_motion = no_motion_}};
  StateEvidence& now = outcome.evidence;
  now.is_right = estimate && !now.has_jumped && now.presence >= config_.update_presence;
  if (view_.has_scan()) support_ = here != nullptr && !now.has_jumped ? here->evidence.support : 0;
  negative_frames_ =
      estimate && resembles_negatives(view_.similarity(estimate->box)) ? negative_frames_ + 1 : 0;
  if (here != nullptr) response_drop_ = here->evidence.response_drop;
  remember_network(now);
  // Another place was found by what the target looks like, and may be somebody else.
  if (now.has_jumped) response_drop_ = std::max(response_drop_, 1.0f);
  identity_.update(now, learning);
  now.is_ambiguous = identity_.is_ambiguous();
  if (now.is_right && here != nullptr) baseline_.add(quality_);
  if (!learning || !estimate) return outcome;
  if (starts_filter) baseline_ = {};
  outcome.reinitialises_motion = starts_filter;
  outcome.updates_motion =
      now.is_right && !(here != nullptr && resembles_distractor(here->evidence.identity) &&
                        may_have_switched(here->evidence));
  outcome.learns = estimate->valid && view_.may_learn(estimate->box);
  return outcome;
}

}  // namespace cltrack
