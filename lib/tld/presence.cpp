// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

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

// Clamped to the range of the fitted data.
double log_ratio(float ratio, double least, double most = 0.5) {
  constexpr double kLeastRatio = 0.05;  // responses may be 0 or less
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

// How far motion may have gone over to somebody else, 0 to 1. Who is at another place may be
// anybody.
double chance_of_switch(const Evidence& evidence) {
  constexpr double kCertain = 0.7;
  if (evidence.is_elsewhere) return 1;
  return std::clamp(static_cast<double>(evidence.response_drop) / kCertain, 0.0, 1.0);
}

constexpr double kClearRatio = 0.3;  // from which on it looks like the target and like nobody else

double unlikeness(const IdentityEvidence& identity) {
  constexpr double kUnlike = 0.8;
  return std::clamp(static_cast<double>(identity.dissimilarity) - kUnlike, 0.0, 1.5);
}

// Colours in bands distinguish similar objects where filter, ferns and object model do not. But
// they change when a target turns: where motion leads, looking unlike the target says nothing by
// itself.
double unlike_elsewhere(const Evidence& evidence) {
  return evidence.is_elsewhere ? unlikeness(evidence.identity) : 0;
}

// How far it looks like a distractor and not like the target. Colours say little where its
// distractors look the same, where nobody looks like the box, or where the target was no more like
// itself than like others before. So the ratio counts as far as colours can decide, and where
// motion leads as far as that may have gone over to the distractor; there it makes a target
// uncertain rather than lost.
double distractor(const Evidence& evidence) {
  constexpr double kClearDistance = 0.25, kDistinct = 0.7;
  constexpr double kMostAgainstHere = -3.5;
  const IdentityEvidence& identity = evidence.identity;
  if (!identity.has_distractor) return 0;
  const double weight =
      std::clamp(std::log(kClearDistance / static_cast<double>(identity.distractor_distance)), 0.0,
                 1.0) *
      std::clamp(static_cast<double>(identity.distinctness) / kDistinct, 0.0, 1.0) *
      std::clamp(static_cast<double>(identity.baseline_ratio), 0.0, 1.0);
  const double ratio = static_cast<double>(identity.ratio) - kClearRatio;
  const double against = weight * (5 * std::clamp(ratio, -1.5, 0.0) - unlikeness(identity) - 0.3);
  return evidence.is_elsewhere ? against
                               : chance_of_switch(evidence) * std::max(against, kMostAgainstHere);
}

// And how far it looks like the target and not like a distractor.
double no_distractor(const Evidence& evidence) {
  const IdentityEvidence& identity = evidence.identity;
  if (!identity.has_distractor) return 0;
  return std::clamp(static_cast<double>(identity.ratio) - kClearRatio, 0.0, 1.0);
}

double inside(const Evidence& evidence) { return static_cast<double>(evidence.inside); }

// The logarithm of the odds that a network gives.
double network_odds(const Evidence& evidence) {
  constexpr double kLeast = -8, kMost = 9;  // beyond, floats make scores 0 or 1
  if (!evidence.network_score) return 0;
  const auto score = static_cast<double>(*evidence.network_score);
  return std::clamp(std::log(score / (1 - score)), kLeast, kMost);
}

constexpr double kSureNetwork = 7;  // odds

// What it is more sure of than it is of others that look alike.
double network_sure(const Evidence& evidence) {
  constexpr double kOfOthers = 5;
  return std::max(0.0, network_odds(evidence) - kOfOthers);
}

// A target's baseline is not known on its first frames, and the responses to some are weak from the
// start: noise, blur, few pixels.
double recency(const Evidence& evidence) {
  return std::max(0.0, 1 - static_cast<double>(evidence.age) / Evidence::kWarmupFrames);
}

constexpr bool kFitted = true, kByHand = false;

// Name, reason, value, weight, where the weight comes from; with a network: that of other places
// and that of where motion has led, compared with those.
constexpr PresenceTerm kTerms[] = {
    {"constant", nullptr, constant, -3.77, kFitted, -2.55, -4.01},
    {"filter_ratio", "filter", filter_ratio, 1.02, kFitted, 0.45, 0.3},
    {"filter_psr", "filter", filter_psr, 1.18, kFitted, 0, 0.27},
    {"color_ratio", "colors", color_ratio, 1.7, kFitted, 1.17, 0.65},
    {"color_level", "colors", color_level, 0.7, kByHand, 0, 0.32},
    {"conservative", "object-model", conservative, 2.55, kFitted, 0.35, 2.01},
    {"support", "detector", support, 0.5, kFitted, 0.64, 0.44},
    {"negative_frames", "background", negative_frames, -0.12, kFitted, 0, -0.11},
    {"unlike_elsewhere", "appearance", unlike_elsewhere, -0.75, kByHand, -0.5, 0},
    {"distractor", "appearance", distractor, 1, kByHand, 0.3, 0.52},
    {"no_distractor", "appearance", no_distractor, 1, kByHand, 2.2, 1.32},
    {"inside", "outside", inside, 1.3, kFitted, 1.3, 1.08},
    {"recency", nullptr, recency, 4, kByHand, 0, 4.04},
    {"network_odds", "network", network_odds, 0.2, kByHand, 0.12, 0.35},
    {"network_sure", "network", network_sure, 0, kByHand, 0.27, 0},
};

// The sum of a reason's terms.
double sum_of(std::string_view reason, const Evidence& evidence) {
  double sum = 0;
  for (const PresenceTerm& term : kTerms) {
    if (term.reason != nullptr && reason == term.reason) sum += term.weight * term.value(evidence);
  }
  return sum;
}

double sum_of(double PresenceTerm::*weight, const Evidence& evidence) {
  double sum = 0;
  for (const PresenceTerm& term : kTerms) sum += term.*weight * term.value(evidence);
  return sum;
}

float probability(double odds) { return static_cast<float>(1 / (1 + std::exp(-odds))); }

}  // namespace

std::span<const PresenceTerm> presence_terms() { return kTerms; }

double log_odds(const Evidence& evidence) {
  const bool is_other = !evidence.is_here && evidence.network_score.has_value();
  return sum_of(is_other ? &PresenceTerm::other_weight : &PresenceTerm::weight, evidence);
}

float presence(const Evidence& evidence) { return probability(log_odds(evidence)); }

float compared_presence(const Hypothesis& here) {
  if (!here.evidence.network_score) return here.presence;
  return std::min(here.presence,
                  probability(sum_of(&PresenceTerm::compared_weight, here.evidence)));
}

float reported_presence(const Evidence& evidence) {
  constexpr double kAmbiguous = 2, kDrop = 0.75, kNetwork = 0.6;
  const IdentityEvidence& identity = evidence.identity;
  double odds = log_odds(evidence) -
                kDrop * std::clamp(static_cast<double>(evidence.response_drop), 0.0, 1.0);
  if (evidence.network_score) {
    odds -= kNetwork * std::max(0.0, kSureNetwork - network_odds(evidence));
  }
  if (identity.is_ambiguous) {
    const double weight = chance_of_switch(evidence) *
                          std::clamp(static_cast<double>(identity.baseline_ratio), 0.0, 1.0);
    odds -= weight * (kAmbiguous + unlikeness(identity));
  }
  return probability(odds);
}

bool is_sure_network(const Evidence& evidence) { return network_odds(evidence) >= kSureNetwork; }

bool may_have_switched(const Evidence& evidence) {
  constexpr double kEnough = 0.7;
  return chance_of_switch(evidence) >= kEnough;
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

}  // namespace cltrack
