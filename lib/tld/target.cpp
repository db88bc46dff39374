// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/target.h"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

#include "ops/patches/extract_patches.h"
#include "tld/object_model.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

constexpr int kPlacedFrames = 12;    // for which median flow stays where a target was moved to
constexpr float kLostMargin = 0.3f;  // under nn_threshold, of places while a target is lost

bool is_too_small(const BoundingBox& box, const ScanGrid& grid, float smallest) {
  if (grid.scales().empty()) return false;
  const ScanScale& scale = grid.scales().front();
  return std::min(box.width, box.height) <
         smallest * static_cast<float>(std::min(scale.width, scale.height));
}

constexpr float kOnePlace = 0.5f;      // overlap, over which two boxes are of one object
constexpr float kWhole = 0.99f;        // share of a box in the picture
constexpr float kApart = 0.1f;         // overlap, under which two boxes are of two objects
constexpr float kSurelyOther = -0.4f;  // ratio, see IdentityEvidence
constexpr std::size_t kMostDistractorsOfFrame = 8;

// The mean of about the latest five frames. Without a distractor, it is told from all others.
void smooth(const IdentityEvidence& before, IdentityEvidence& now) {
  constexpr float kRate = 0.2f;
  now.dissimilarity = before.dissimilarity + kRate * (now.dissimilarity - before.dissimilarity);
  now.ratio = before.ratio + kRate * ((now.has_distractor ? now.ratio : 1) - before.ratio);
}

// What is known of the box, or what `make` returns.
template <typename Known, typename Make>
const auto& once_for(const BoundingBox& box, Known& known, const Make& make) {
  const auto found = std::ranges::find(known, box, &Known::value_type::first);
  return found != known.end() ? found->second : known.emplace_back(box, make()).second;
}

// More like what is not the target.
bool resembles_negatives(const PatchSimilarity& similarity) { return similarity.relative < 0.5f; }

// In sides of `unit`.
BoundingBox relative(const BoundingBox& box, const BoundingBox& unit) {
  return {(box.x - unit.x) / unit.width, (box.y - unit.y) / unit.height, box.width / unit.width,
          box.height / unit.height};
}

}  // namespace

Target::Target(std::uint64_t id, FirstFrame first, ScanGrid grid, const TldConfig& config)
    : id_(id),
      config_(config),
      model_(std::move(first.model)),
      grid_(std::move(grid)),
      state_(config),
      given_(relative(first.given, first.box)),
      selection_(config),
      plan_(id) {
  state_.put(first.box);
  state_.begin();
}

Target::Target(std::uint64_t id, TargetModel model, ScanGrid grid, const TldConfig& config)
    : id_(id),
      config_(config),
      model_(std::move(model)),
      grid_(std::move(grid)),
      state_(config),
      selection_(config),
      plan_(id) {}

Sighting Target::report() const {
  Sighting sighting = state_.report();
  BoundingBox& box = sighting.box;
  box = {box.x + given_.x * box.width, box.y + given_.y * box.height, given_.width * box.width,
         given_.height * box.height};
  return sighting;
}

void Target::move_to(const BoundingBox& box) {
  state_.put(box);  // motion begins anew at `box`: what it has learnt would lead back
  given_ = {0, 0, 1, 1};
  unsupported_frames_ = negative_frames_ = 0;
  placed_frames_ = kPlacedFrames;
  baseline_ = {};
  selection_.reset();
  identity_.end_frame();
  identity_here_ = {};
  sure_appearance_.reset();
  plan_.end(false);
  training_.reset();
  updates_motion_ = reinitialises_filter_ = false;
}

ScanRegion Target::scan_region() const {
  std::optional<BoundingBox> box;
  if (estimate()) box = estimate()->box;
  return plan_.region(box, grid_);
}

void Target::set_found(const std::optional<Motion>& motion,
                       std::optional<std::vector<Detection>> detections,
                       const FramePlanes& planes) {
  state_.begin_frame();
  has_scan_ = detections.has_value();
  detections_ = std::move(detections).value_or(std::vector<Detection>());
  moved_.reset();
  here_.reset();
  has_switched_ = false;
  quality_.reset();
  verified_.clear();
  patches_.clear();
  appearances_.clear();
  no_motion_ = motion ? "size" : "motion";
  if (!motion || is_too_small(motion->box, grid_, config_.smallest_box)) return;
  if (motion->quality) {
    quality_ = motion->quality;
    here_ = hypothesis(*motion, true, planes);
    has_switched_ = is_seen() && identity_.has_switched(here_->evidence.identity);
    if (state_.lets_motion_go(has_switched_)) here_->presence = 0;
    return;
  }
  const PatchSimilarity similarity = similarity_at(motion->box, planes);
  moved_relative_ = similarity.relative;
  moved_ = {motion->box, similarity.conservative,
            estimate()->valid || similarity.conservative > model_.nn_valid_threshold};
}

const Patch& Target::patch_at(const BoundingBox& box, const FramePlanes& planes) {
  return once_for(box, patches_,
                  [&] { return vector::extract_patch(planes.luma.host_view(), box); });
}

const std::optional<Appearance>& Target::appearance_at(const BoundingBox& box,
                                                       const FramePlanes& planes) {
  return once_for(box, appearances_, [&] { return Appearance::of(planes.picture, box); });
}

PatchSimilarity Target::similarity_at(const BoundingBox& box, const FramePlanes& planes) {
  return model_.patches.similarity(patch_at(box, planes));
}

Hypothesis Target::hypothesis(const Motion& motion, bool is_here, const FramePlanes& planes) {
  const int negative_frames = is_here ? negative_frames_ : 0;  // frames in a row before this one
  const bool is_trusted = estimate() && estimate()->confidence >= config_.update_presence;  // then
  const ResponseBaseline::Ratios ratios = baseline_.compare(*motion.quality);
  const PatchSimilarity similarity = similarity_at(motion.box, planes);
  Evidence evidence = {
      .filter_ratio = ratios.filter,
      .filter_psr = motion.quality->filter_psr,
      .color_ratio = ratios.color_psr,
      .color_weight = ratios.color_weight,
      .color_level = is_here && is_trusted ? 1 : ratios.color,
      .conservative = similarity.conservative,
      .negative_frames = resembles_negatives(similarity) ? negative_frames + 1 : 0};
  evidence.support = static_cast<int>(std::ranges::count_if(detections_, [&](const auto& found) {
    return overlap(motion.box, found.box) > config_.jump_overlap;
  }));
  if (!has_scan_) evidence.support = support_;
  if (is_here) evidence.age = state_.age();
  evidence.inside = clip_to_frame(motion.box, planes.luma.width(), planes.luma.height()).area() /
                    motion.box.area();
  if (const auto& sample = appearance_at(motion.box, planes)) {
    evidence.identity = identity_.compare(*sample, motion.box);
    if (is_here && is_seen()) smooth(identity_here_, evidence.identity);
  }
  evidence.is_elsewhere = !is_here || state_.may_be_anywhere();
  return {.box = motion.box, .presence = presence(evidence), .evidence = evidence};
}

std::vector<ScoredBox> Target::detections_above(float relative) const {
  std::vector<ScoredBox> accepted;
  for (const Detection& detection : detections_) {
    if (detection.counts && detection.similarity.relative > relative) {
      accepted.push_back({detection.box, detection.similarity.conservative});
    }
  }
  return accepted;
}

std::vector<BoundingBox> Target::places_to_verify() {
  if (config_.motion != kCorrelation || !has_begun()) return {};
  const bool is_long_lost = state_.is_long_lost();
  if (!has_scan_) return selection_.propose_candidates(here_, is_long_lost);
  // While the target is lost, nn_threshold is lowered: the correlation filter verifies the places.
  const float least = model_.nn_threshold - (is_long_lost ? kLostMargin : 0);
  return selection_.propose_candidates(here_, is_long_lost,
                                       cluster(detections_above(least), config_.cluster_overlap));
}

void Target::verify(const std::optional<Motion>& motion, const FramePlanes& planes) {
  if (!motion) return;
  verified_.push_back(hypothesis(*motion, false, planes));
  if (std::ranges::any_of(owned_, [&](const BoundingBox& box) {
        return share_of_smaller(motion->box, box) > kOnePlace;
      })) {
    verified_.back().presence = 0;
  }
}

// Motion goes on for as long as it finds anything to follow, the background included.
void Target::give_up_unsupported(std::span<const ScoredBox> near) {
  if (!has_scan_) return;
  if (!moved_ || moved_->valid || moved_relative_ >= config_.lost_relative ||
      std::ranges::any_of(near, [&](const ScoredBox& window) {
        return overlap(moved_->box, window.box) > config_.jump_overlap;
      })) {
    unsupported_frames_ = 0;
  } else if (++unsupported_frames_ >= config_.lost_frames) {
    moved_.reset();
    no_motion_ = "object-model";
  }
}

// One that is not sure yields to one that is. Else the one that lost the place before goes on to do
// so, then the one that came there later.
bool Target::yields_to(const Target& other) const {
  if (here_->presence < config_.verify_presence) return true;
  const auto rank = [](const Target& target) {
    return std::tuple(!target.has_yielded_, target.state_.settled_frames(), target.here_->presence,
                      -static_cast<std::int64_t>(target.id_));
  };
  return rank(*this) < rank(other);
}

void Target::find_owners(std::span<Target* const> targets) {
  owned_.clear();
  yields_ = false;
  if (config_.motion != kCorrelation) return;
  const bool is_first = state_.age() == 1;
  if (is_first) companions_.clear();
  for (const Target* other : targets) {
    if (other == this || !other->here_) continue;
    const BoundingBox& box = other->here_->box;
    const float common = here_ ? overlap(here_->box, box) : 0;
    if (is_first && here_ && share_of_smaller(here_->box, box) > kOnePlace) {
      companions_.push_back(other->id_);
    }
    if (other->here_->presence < config_.verify_presence ||
        std::ranges::find(companions_, other->id_) != companions_.end() ||
        std::ranges::find(other->companions_, id_) != other->companions_.end()) {
      continue;
    }
    if (common <= kOnePlace) {
      owned_.push_back(box);
    } else if (yields_to(*other)) {
      owned_.push_back(box);
      yields_ = true;
    }
  }
}

void Target::yield_to_owners() {
  has_yielded_ = yields_;
  if (yields_) here_->presence = 0;
}

std::vector<Detection*> Target::promising_detections() {
  if (moved_ && moved_->valid) return {};
  if (here_ && here_->presence >= config_.verify_presence && here_->evidence.support > 0) return {};
  return promising(detections_, model_.nn_threshold, config_);
}

void Target::refine(Detection& detection, const FramePlanes& planes) const {
  const ScanScale& scale = grid_.scales()[grid_.scale_of(detection.window)];
  cltrack::refine(detection, planes.luma.host_view(), model_.patches, scale.shift);
}

void Target::decide(const FramePlanes& planes, bool learning) {
  training_.reset();
  updates_motion_ = reinitialises_filter_ = false;
  for (const Detection& detection : detections_) model_.patches.touch(detection.similarity);
  state_.transition(config_.motion == kCorrelation ? decide_by_presence(planes, learning)
                                                   : decide_by_similarity(planes, learning));
  plan_.end(estimate() && estimate()->valid && here_ && here_->evidence.support > 0);
}

StateEvidence Target::decide_by_similarity(const FramePlanes& planes, bool learning) {
  std::vector<ScoredBox> near;
  for (const Detection& detection : detections_) {
    near.push_back({detection.box, detection.similarity.conservative});
  }
  give_up_unsupported(near);
  // What was learnt before a move is surer of the old place, until the new one is learnt.
  const bool is_placed = moved_ && placed_frames_ > 0;
  placed_frames_ = std::max(0, placed_frames_ - 1);
  std::vector<ScoredBox> elsewhere;
  if (!is_placed) elsewhere = detections_above(model_.nn_threshold);
  std::optional<Estimate> estimate = integrate(moved_, near, elsewhere, config_);
  if (estimate && (estimate->valid || is_placed)) {
    estimate->valid = may_learn(estimate->box, planes);
    updates_motion_ =
        learning && (estimate->valid || (is_placed && may_learn(estimate->box, planes, true)));
    if (updates_motion_ && has_scan_) learn(estimate->box, planes);
  }
  return {.estimate = estimate, .no_motion = no_motion_};
}

// A target that motion knows nothing of is where the detector is surest of one place alone.
std::optional<Estimate> Target::find_again() const {
  const std::vector<ScoredBox> found =
      cluster(detections_above(model_.nn_threshold), config_.cluster_overlap);
  const auto best = std::ranges::max_element(found, std::less(), &ScoredBox::confidence);
  if (best == found.end() || best->confidence < model_.nn_valid_threshold) return estimate();
  return Estimate{best->box, config_.lost_presence, false};
}

StateEvidence Target::decide_by_presence(const FramePlanes& planes, bool learning) {
  if (!has_begun()) return {.estimate = find_again()};
  std::optional<BoundingBox> before;
  if (estimate()) before = estimate()->box;
  const Verdict verdict = selection_.decide(before, verified_);
  const std::optional<Estimate>& estimate = verdict.estimate;
  StateEvidence now = {.estimate = estimate,
                       .presence = estimate ? estimate->confidence : 0,
                       .here = here_ ? &*here_ : nullptr,
                       .place = chosen(verdict),
                       .has_jumped = verdict.has_jumped,
                       .yields = yields_,
                       .has_switched = has_switched_,
                       .no_motion = no_motion_};
  now.is_right = estimate && !now.has_jumped && now.presence >= config_.update_presence;
  if (has_scan_) support_ = here_ && !now.has_jumped ? here_->evidence.support : 0;
  negative_frames_ = estimate && resembles_negatives(similarity_at(estimate->box, planes))
                         ? negative_frames_ + 1
                         : 0;
  update_identity(now, planes, learning);
  now.is_ambiguous = identity_.is_ambiguous();
  if (!estimate) return now;
  if (now.is_right && quality_) baseline_.add(*quality_);
  if (!learning) return now;
  reinitialises_filter_ = verdict.reinitialise_filter;
  if (reinitialises_filter_) baseline_ = {};
  updates_motion_ = now.is_right && !(here_ && resembles_distractor(here_->evidence.identity));
  if (has_scan_ && estimate->valid && may_learn(estimate->box, planes))
    learn(estimate->box, planes);
  return now;
}

void Target::start_identity(const FramePlanes& planes) {
  if (estimate()) identity_.start(Appearance::of(planes.picture, estimate()->box));
}

// What was chosen, if it was looked at.
const Hypothesis* Target::chosen(const Verdict& verdict) const {
  if (!verdict.has_jumped) return here_ ? &*here_ : nullptr;
  const auto found = std::ranges::find(verified_, verdict.estimate->box, &Hypothesis::box);
  return found != verified_.end() ? &*found : nullptr;
}

void Target::update_identity(const StateEvidence& now, const FramePlanes& planes, bool learning) {
  const bool is_followed = state_.is_followed_at(now);
  const bool is_known = (is_followed || now.has_jumped) && now.place != nullptr;
  identity_here_ = is_known ? now.place->evidence.identity : IdentityEvidence();
  sure_appearance_.reset();
  if (!identity_.has_gallery()) return;
  if (is_followed && now.presence >= config_.tracking_presence) {
    sure_appearance_ = appearance_at(now.estimate->box, planes);
  }
  if (!learning) return;
  if (sure_appearance_) {
    const BoundingBox& box = now.estimate->box;
    const BoundingBox inside = clip_to_frame(box, planes.luma.width(), planes.luma.height());
    identity_.confirm(box, *sure_appearance_, here_->evidence.identity,
                      state_.is_settled() && inside.area() >= kWhole * box.area());
  } else {
    identity_.doubt();
  }
  see_distractors(now, planes);
  if (!has_switched_) return;
  if (const auto& sample = appearance_at(here_->box, planes)) {
    identity_.see_distractor(here_->box, *sample, true);
  }
}

// What the detector finds elsewhere. While the target is not surely here, one of these may be it:
// then only those are looked at that are known already, and look like it.
void Target::see_distractors(const StateEvidence& now, const FramePlanes& planes) {
  if (!has_scan_ || !now.estimate) return;
  const BoundingBox& here = now.estimate->box;
  const bool is_seen = state_.is_seen_at(now);
  // One that is more like the target than what is followed may be it.
  const float followed =
      sure_appearance_ ? identity_.compare(*sure_appearance_, here).dissimilarity : 0;
  std::vector<BoundingBox> seen;
  for (const Detection& detection : detections_) {
    if (seen.size() == kMostDistractorsOfFrame) break;
    const BoundingBox& box = detection.box;
    const float size = box.area() / here.area();
    if (detection.similarity.relative < model_.nn_threshold - kLostMargin || size < 0.5f ||
        size > 2 || (is_seen && overlap(box, here) >= kApart) ||
        std::ranges::any_of(seen,
                            [&](const auto& one) { return overlap(one, box) > 2 * kApart; })) {
      continue;
    }
    seen.push_back(box);
    const std::optional<Appearance>& sample = appearance_at(box, planes);
    if (!sample) continue;
    const IdentityEvidence evidence = identity_.compare(*sample, box);
    if (sure_appearance_) {
      if (evidence.dissimilarity >= followed) identity_.see_distractor(box, *sample, true);
    } else if (evidence.has_distractor && evidence.ratio < kSurelyOther) {
      identity_.see_distractor(box, *sample, false);
    }
  }
}

void Target::see_others(std::span<Target* const> targets) {
  if (sure_appearance_ && identity_.has_gallery()) {
    for (const Target* other : targets) {
      if (other == this || !other->sure_appearance_) continue;
      const BoundingBox& box = other->estimate()->box;
      if (overlap(estimate()->box, box) >= kApart) continue;
      identity_.see_distractor(box, *other->sure_appearance_, true);
    }
  }
  identity_.end_frame();
}

bool Target::may_learn(const BoundingBox& box, const FramePlanes& planes, bool is_placed) {
  const BoundingBox inside = clip_to_frame(box, planes.luma.width(), planes.luma.height());
  if (inside.area() < config_.learn_inside * box.area()) return false;
  const Patch& patch = patch_at(box, planes);
  if (patch.variance() < model_.minimum_variance) return false;
  if (is_placed) return true;
  const PatchSimilarity similarity = model_.patches.similarity(patch);
  return similarity.relative >= 0.5f && similarity.conservative >= config_.learn_conservative &&
         !similarity.known_negative;
}

void Target::learn(const BoundingBox& box, const FramePlanes& planes) {
  std::vector<std::uint32_t> windows =
      positive_windows(grid_, box, config_.update_warps.closest, config_);
  if (windows.empty()) return;
  const ImageView luma = planes.luma.host_view();
  const Patch positive = vector::extract_patch(luma, positive_box(grid_, box, windows));
  std::vector<FixedWarp> warps = random_warps(grid_, windows, config_.update_warps, model_.random);
  training_ = TrainingSet{box, std::move(windows), std::move(warps)};

  std::vector<BoundingBox> far;
  std::vector<PatchSimilarity> similarities;
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
  model_.resize(model_.width * scale_x, model_.height * scale_y, frame_width, frame_height);
  grid_ = ScanGrid(model_.width, model_.height, frame_width, frame_height, config_);
  ++grid_version_;
  identity_.forget_distractors();
  state_.rescale(scale_x, scale_y);
}

}  // namespace cltrack
