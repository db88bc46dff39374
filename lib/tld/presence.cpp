// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

namespace cltrack {
namespace {

constexpr float kClearPsr = 4;  // of colours that tell the target from all else

}  // namespace

void ResponseBaseline::Mean::add(float value) {
  constexpr int kFrames = 100;
  count_ = std::min(count_ + 1, kFrames);
  value_ += (value - value_) / static_cast<float>(count_);
}

void ResponseBaseline::add(const FilterQuality& quality) {
  filter_.add(quality.filter);
  if (quality.color) color_.add(*quality.color);
  if (quality.color_psr) color_psr_.add(*quality.color_psr);
}

ResponseBaseline::Ratios ResponseBaseline::compare(const FilterQuality& quality) const {
  Ratios ratios = {.filter = filter_.ratio(quality.filter)};
  if (quality.color) ratios.color = color_.ratio(*quality.color);
  if (quality.color_psr) {
    ratios.color_psr = color_psr_.ratio(*quality.color_psr);
    ratios.color_weight = std::clamp(color_psr_.value() / kClearPsr, 0.0f, 1.0f);
  }
  return ratios;
}

namespace {

// What is far off counts no more than what bounded it in the fit.
double log_ratio(float ratio, double least, double most = 0.5) {
  constexpr double kLeastRatio = 0.05;  // answers may be 0 or less
  return std::clamp(std::log(std::max(kLeastRatio, static_cast<double>(ratio))), least, most);
}

double constant(const Evidence&) { return 1; }

double filter_ratio(const Evidence& evidence) { return log_ratio(evidence.filter_ratio, -3); }

double filter_psr(const Evidence& evidence) {
  constexpr double kLeast = 4.5, kMost = 40;  // what is beyond is all alike
  return std::log(std::clamp(static_cast<double>(evidence.filter_psr), kLeast, kMost));
}

double color_ratio(const Evidence& evidence) {
  return static_cast<double>(evidence.color_weight) * log_ratio(evidence.color_ratio, -2);
}

double color_level(const Evidence& evidence) {
  return static_cast<double>(evidence.color_weight) * log_ratio(evidence.color_level, -3, 0.3);
}

double conservative(const Evidence& evidence) { return static_cast<double>(evidence.conservative); }

double support(const Evidence& evidence) { return std::log1p(evidence.support); }

double negative_frames(const Evidence& evidence) {
  constexpr int kMost = 50;  // what is longer is all alike
  return std::log1p(std::min(evidence.negative_frames, kMost));
}

constexpr double kClearRatio = 0.3;  // from which on it looks like the target and like nobody else

double unlikeness(const IdentityEvidence& identity) {
  constexpr double kUnlike = 0.8;
  return std::clamp(static_cast<double>(identity.dissimilarity) - kUnlike, 0.0, 1.5);
}

// Colours in bands tell similar objects apart where filter, ferns and object model do not. But they
// change when a target turns: where motion leads, looking unlike the target says nothing by itself.
double unlike_elsewhere(const Evidence& evidence) {
  return evidence.is_elsewhere ? unlikeness(evidence.identity) : 0;
}

// How far it looks like a distractor and not like the target. Colours say little where its
// distractors look the same, where nobody looks like the box, or where it usually is no more like
// itself than like others. So the ratio counts as far as it can tell, and where motion leads it
// makes a target uncertain rather than lost.
double distractor(const Evidence& evidence) {
  constexpr double kClearDistance = 0.25, kDistinct = 0.7;
  constexpr double kMostAgainstHere = -3.5;
  const IdentityEvidence& identity = evidence.identity;
  if (!identity.has_distractor) return 0;
  const double weight =
      std::clamp(std::log(kClearDistance / static_cast<double>(identity.distractor_distance)), 0.0,
                 1.0) *
      std::clamp(static_cast<double>(identity.distinctness) / kDistinct, 0.0, 1.0) *
      std::clamp(static_cast<double>(identity.usual_ratio), 0.0, 1.0);
  const double ratio = static_cast<double>(identity.ratio) - kClearRatio;
  const double against = weight * (5 * std::clamp(ratio, -1.5, 0.0) - unlikeness(identity) - 0.3);
  return evidence.is_elsewhere ? against : std::max(against, kMostAgainstHere);
}

// And how far it looks like the target and not like a distractor.
double no_distractor(const Evidence& evidence) {
  const IdentityEvidence& identity = evidence.identity;
  if (!identity.has_distractor) return 0;
  return std::clamp(static_cast<double>(identity.ratio) - kClearRatio, 0.0, 1.0);
}

double inside(const Evidence& evidence) { return static_cast<double>(evidence.inside); }

// What is usual for a target is not known on its first frames, and some answer weakly from the
// start: noise, blur, few pixels.
double recency(const Evidence& evidence) {
  return std::max(0.0, 1 - static_cast<double>(evidence.age) / Evidence::kWarmupFrames);
}

constexpr bool kFitted = true, kByHand = false;

// Name, reason, value, weight, where the weight comes from.
constexpr PresenceTerm kTerms[] = {
    {"constant", nullptr, constant, -3.77, kFitted},
    {"filter_ratio", "filter", filter_ratio, 1.02, kFitted},
    {"filter_psr", "filter", filter_psr, 1.18, kFitted},
    {"color_ratio", "colors", color_ratio, 1.7, kFitted},
    {"color_level", "colors", color_level, 0.7, kByHand},
    {"conservative", "object-model", conservative, 2.55, kFitted},
    {"support", "detector", support, 0.5, kFitted},
    {"negative_frames", "background", negative_frames, -0.12, kFitted},
    {"unlike_elsewhere", "appearance", unlike_elsewhere, -1.5, kByHand},
    {"distractor", "appearance", distractor, 1, kByHand},
    {"no_distractor", "appearance", no_distractor, 1, kByHand},
    {"inside", "outside", inside, 1.3, kFitted},
    {"recency", nullptr, recency, 4, kByHand},
};

// What the terms of a reason add.
double sum_of(std::string_view reason, const Evidence& evidence) {
  double sum = 0;
  for (const PresenceTerm& term : kTerms) {
    if (term.reason != nullptr && reason == term.reason) sum += term.weight * term.value(evidence);
  }
  return sum;
}

float probability(double odds) { return static_cast<float>(1 / (1 + std::exp(-odds))); }

}  // namespace

std::span<const PresenceTerm> presence_terms() { return kTerms; }

double log_odds(const Evidence& evidence) {
  double sum = 0;
  for (const PresenceTerm& term : kTerms) sum += term.weight * term.value(evidence);
  return sum;
}

float presence(const Evidence& evidence) { return probability(log_odds(evidence)); }

float reported_presence(const Evidence& evidence) {
  constexpr double kAmbiguous = 2;
  const IdentityEvidence& identity = evidence.identity;
  if (!identity.is_ambiguous) return presence(evidence);
  const double weight = std::clamp(static_cast<double>(identity.usual_ratio), 0.0, 1.0);
  return probability(log_odds(evidence) - weight * (kAmbiguous + unlikeness(identity)));
}

const char* fallen_evidence(const Evidence& before, const Evidence& now) {
  const char* fallen = "";
  double most = -std::numeric_limits<double>::infinity();
  for (const PresenceTerm& term : kTerms) {
    if (term.reason == nullptr) continue;
    const double fall = sum_of(term.reason, before) - sum_of(term.reason, now);
    if (fall > most) {
      most = fall;
      fallen = term.reason;
    }
  }
  return fallen;
}

namespace {

constexpr std::size_t kMostCandidates = 3;  // that are looked at,
constexpr std::size_t kMostLost = 6;        // and after a long loss
constexpr float kElsewhere = 0.5f;          // overlap with here, under which a place is another
constexpr int kLongLost = 5;                // frames in a row
constexpr float kFarAway = 0.3f;            // and for one that motion may have drifted from
constexpr int kUnsupported = 10;      // frames in a row, after which motion may have drifted off
constexpr int kUnsettled = 10;        // frames after a loss or a jump
constexpr float kOtherSize = 1.3f;    // that is looked at on these, and the inverse
constexpr float kBeyondDoubt = 0.9f;  // presence with which a place is believed at once
constexpr float kSizeGain = 0.02f;    // in presence, that a place needs on these

BoundingBox scaled(const BoundingBox& box, float factor) {
  const float width = factor * box.width, height = factor * box.height;
  return {box.center_x() - width / 2, box.center_y() - height / 2, width, height};
}

bool overlaps(const std::optional<Hypothesis>& here, const BoundingBox& box, float least) {
  return here && overlap(here->box, box) > least;
}

}  // namespace

std::vector<BoundingBox> HypothesisSelection::propose_candidates(
    const std::optional<Hypothesis>& here, std::span<const ScoredBox> clusters) {
  here_ = here;
  has_scan_ = true;
  challenger_.reset();
  std::vector<ScoredBox> best(clusters.begin(), clusters.end());
  std::ranges::stable_sort(best, std::greater(), &ScoredBox::confidence);
  const bool is_sure = here && here->presence >= config_.verify_presence;
  if (is_sure && here->evidence.support == 0 && !best.empty() &&
      best[0].confidence > here->evidence.conservative + config_.drift_margin &&
      !overlaps(here, best[0].box, kFarAway)) {
    challenger_ = best[0].box;
  }
  std::vector<BoundingBox> places;
  if (!is_sure || is_long_lost()) {
    for (const ScoredBox& cluster : best) {
      if (overlaps(here, cluster.box, kElsewhere)) continue;
      places.push_back(cluster.box);
      if (places.size() == (is_long_lost() ? kMostLost : kMostCandidates)) break;
    }
  }
  if (is_unsettled() && here && here->presence >= config_.hold_presence) {
    places.push_back(scaled(here->box, kOtherSize));
    places.push_back(scaled(here->box, 1 / kOtherSize));
  }
  return places;
}

std::vector<BoundingBox> HypothesisSelection::propose_candidates(
    const std::optional<Hypothesis>& here) {
  here_ = here;
  has_scan_ = false;
  challenger_.reset();
  return {};
}

Verdict HypothesisSelection::decide(const std::optional<BoundingBox>& before,
                                    std::span<const Hypothesis> verified) {
  Verdict verdict = choose(before, verified);
  if (is_long_lost()) {
    unsettled_frames_ = kUnsettled;
  } else if (unsettled_frames_ > 0) {
    --unsettled_frames_;
  } else if (verdict.has_jumped) {
    unsettled_frames_ = kUnsettled;
  }
  const bool is_lost = !verdict.estimate || verdict.estimate->confidence < config_.lost_presence;
  frames_lost_ = is_lost ? std::min(frames_lost_ + 1, kLongLost) : 0;
  return verdict;
}

bool HypothesisSelection::is_long_lost() const { return frames_lost_ >= kLongLost; }

// A target has often another size when it is found again, or is found at one that is not its own.
// The filter would learn that one and stay with it.
bool HypothesisSelection::is_unsettled() const { return unsettled_frames_ > 0 || is_long_lost(); }

// Once a target is gone, its filter answers to whatever is most like it.
bool HypothesisSelection::believes_motion(const std::optional<BoundingBox>& before) const {
  if (!here_) return false;
  if (!is_long_lost()) return here_->presence >= config_.hold_presence;
  const bool is_where_it_was = before && overlap(here_->box, *before) > kElsewhere;
  return here_->presence >= (is_where_it_was ? config_.verify_presence : config_.redetect_presence);
}

// Clutter is found here on one frame and there on the next: that is no evidence against anything.
// Nor are a few frames on which the ferns do not know a target that is blurred or turns.
void HypothesisSelection::count_challenges() {
  if (!has_scan_) return;
  const bool is_unsupported = here_ && here_->evidence.support == 0;
  unsupported_frames_ = is_unsupported ? std::min(unsupported_frames_ + 1, kUnsupported) : 0;
  if (!challenger_) {
    challenges_ = std::max(0, challenges_ - 1);
    return;
  }
  const bool is_known = challenger_before_ && overlap(*challenger_before_, *challenger_) > 0;
  challenges_ = is_known ? challenges_ + 1 : 1;
  challenger_before_ = challenger_;
}

Verdict HypothesisSelection::choose(const std::optional<BoundingBox>& before,
                                    std::span<const Hypothesis> verified) {
  count_challenges();
  if (challenger_ && challenges_ >= config_.drift_frames && unsupported_frames_ >= kUnsupported) {
    challenges_ = unsupported_frames_ = 0;
    return {.estimate = Estimate{*challenger_, config_.verify_presence, false},
            .has_jumped = true,
            .reinitialise_filter = true};
  }
  const std::optional<BoundingBox> candidate = std::exchange(candidate_, std::nullopt);
  const bool follows_motion = believes_motion(before);
  const float here = here_ ? here_->presence : 0;
  const float gain = is_unsettled() ? kSizeGain : config_.redetect_gain;
  const auto best = std::ranges::max_element(verified, std::less(), &Hypothesis::presence);
  if (best != verified.end() && best->presence >= config_.redetect_presence &&
      best->presence >= (follows_motion ? here + gain : 0)) {
    const bool is_here = overlaps(here_, best->box, kFarAway);  // in another size
    const bool is_found_again = candidate && overlap(*candidate, best->box) > 0;
    if (is_here || is_found_again || best->presence >= kBeyondDoubt) {
      challenges_ = 0;
      return {.estimate = Estimate{best->box, best->presence, false}, .has_jumped = true};
    }
    candidate_ = best->box;
  }
  if (follows_motion) {
    return {.estimate = Estimate{here_->box, here, here >= config_.tracking_presence}};
  }
  if (before) {
    return {.estimate = Estimate{*before, std::min(here, config_.hold_presence), false}};
  }
  return {};
}

}  // namespace cltrack
