// SPDX-License-Identifier: LGPL-2.1-or-later
#include "identity/identity.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cltrack {
namespace {

constexpr float kNoise = 0.02f;             // distance that two samples of the same thing may have
constexpr float kLeastBaseline = 0.03f;     // baseline of the distance
constexpr float kExpectedDistance = 0.05f;  // the same before the first frame, which counts as five
constexpr float kBaselineRate = 0.025f;  // at which the baseline of the ratio follows, in the end
constexpr float kExpectedRatios = 10;    // that the first baseline of the ratio counts as
constexpr int kBaselineSamples = 40;     // later ones may be of somebody else

constexpr std::size_t kFirstSamples = 5, kRecentSamples = 12;
constexpr int kFirstFrames = 60;            // of which the first samples are
constexpr int kSampleInterval = 5;          // frames
constexpr float kMostDissimilarity = 0.7f;  // of a recent sample: it has not changed suddenly
constexpr int kBeforeAmbiguity = 30;        // frames, of which samples may be of somebody else

// It is clear who is who if the ratio is so much of its baseline, for so many frames in a row.
// Where the baseline is next to nothing, the ratio never says anything.
constexpr float kClear = 0.7f, kBlind = 0.2f;
constexpr int kClearFrames = 30;

// A distractor that touches the target is no clutter, which is seen here on one frame and there on
// another.
constexpr float kTouchOverlap = 0.2f;
constexpr int kTouchSightings = 5;
constexpr float kMostVelocity = 0.15f;  // sides of its box a frame

constexpr float kTurned = 1.8f;              // dissimilarity of what looks like neither,
constexpr float kAlike = 0.1f;               // if the distractor is further away than that
constexpr float kLeastBaselineRatio = 0.5f;  // that says anything
constexpr int kOtherFrames = 12;             // after which it has switched

constexpr std::size_t kMostDistractors = 16, kDistractorSamples = 5;
constexpr int kMemory = 300;      // frames for which a distractor is remembered
constexpr int kPredictable = 30;  // frames for which velocity says where it is
constexpr int kNearFrames = 12;   // frames for which one that was near is still taken to be
constexpr float kNearOverlap = 0.05f;
constexpr float kSameOverlap = 0.25f, kSameSimilarity = 0.75f;
constexpr float kReturnSimilarity = 0.95f;  // of one that was not seen for longer
constexpr float kNovelSimilarity = 0.95f;   // under which its gallery gets another sample
// Sizes of the box: within these it may have come there, plus so many a frame since it was seen.
constexpr float kReach = 0.5f, kReachOfFrame = 0.1f;
constexpr float kAwayWeight = 0.25f;  // of its distance, for each size that it was further away
constexpr float kMostAway = 3;        // sizes that count

float similarity(std::span<const Appearance> gallery, const Appearance& sample) {
  float best = 0;
  for (const Appearance& one : gallery) best = std::max(best, one.similarity(sample));
  return best;
}

float distance(float similarity) { return kNoise + 1 - similarity; }

}  // namespace

bool resembles_distractor(const IdentityEvidence& evidence, float margin) {
  const bool is_like_neither =
      evidence.dissimilarity > kTurned && evidence.distractor_distance > kAlike;
  return evidence.is_ambiguous && evidence.ratio < -margin && !is_like_neither &&
         evidence.baseline_ratio > kLeastBaselineRatio;
}

BoundingBox Distractor::predicted(int frame) const {
  const auto frames = static_cast<float>(std::min(frame - last_seen, kPredictable));
  return {box.x + frames * velocity_x, box.y + frames * velocity_y, box.width, box.height};
}

bool Distractor::moves_steadily() const {
  return sightings >= kTouchSightings &&
         std::hypot(velocity_x, velocity_y) < kMostVelocity * std::sqrt(box.area());
}

void Identity::start(const std::optional<Appearance>& sample) {
  gallery_.clear();
  recent_.clear();
  is_ambiguous_ = false;
  other_frames_ = 0;
  if (!sample) return;
  gallery_.push_back(*sample);
  baseline_distance_ = kExpectedDistance;
  baseline_samples_ = baseline_ratios_ = 0;
  baseline_ratio_ = 1;
  start_ = latest_sample_ = frame_;
}

IdentityEvidence Identity::compare(const Appearance& sample, const BoundingBox& box) const {
  IdentityEvidence evidence;
  if (!has_gallery()) return evidence;
  const float baseline = std::max(kLeastBaseline, baseline_distance_);
  const float own = own_distance(sample);
  evidence.dissimilarity = std::log(own / baseline);
  const Distractor* nearest = nullptr;
  for (const Distractor& distractor : distractors_) {
    const int frames = frame_ - distractor.last_seen;
    if (frames > kMemory) continue;
    const BoundingBox now = distractor.predicted(frame_);
    const float away =
        std::hypot(now.center_x() - box.center_x(), now.center_y() - box.center_y()) /
            std::sqrt(box.area()) -
        kReach - kReachOfFrame * static_cast<float>(frames);
    const float its = distance(similarity(distractor.gallery, sample)) *
                      (1 + kAwayWeight * std::clamp(away, 0.0f, kMostAway));
    if (nearest != nullptr && its >= evidence.distractor_distance) continue;
    nearest = &distractor;
    evidence.distractor_distance = its;
  }
  if (nearest == nullptr) return evidence;
  evidence.has_distractor = true;
  evidence.is_ambiguous = is_ambiguous_;
  evidence.baseline_ratio = baseline_ratio_;
  evidence.ratio = std::log(evidence.distractor_distance / own);
  float alike = 0;
  for (const Appearance& one : nearest->gallery) alike = std::max(alike, similarity(gallery_, one));
  evidence.distinctness = std::log(distance(alike) / baseline);
  return evidence;
}

// Overlap of `box` with where it is, as far as that is known.
float Identity::common_with(const Distractor& distractor, const BoundingBox& box) const {
  if (frame_ - distractor.last_seen >= kNearFrames) return 0;
  return overlap(distractor.predicted(frame_), box);
}

float Identity::own_distance(const Appearance& sample) const {
  float own = similarity(gallery_, sample);
  for (const RecentSample& one : recent_) own = std::max(own, one.appearance.similarity(sample));
  return distance(own);
}

void Identity::mark_ambiguous() {
  clear_frames_ = 0;
  is_ambiguous_ = true;
  std::erase_if(recent_, [&](const auto& one) { return frame_ - one.frame < kBeforeAmbiguity; });
}

bool Identity::has_switched(const IdentityEvidence& followed) {
  other_frames_ = resembles_distractor(followed, kSwitchMargin) ? other_frames_ + 1 : 0;
  if (other_frames_ < kOtherFrames) return false;
  other_frames_ = 0;
  return true;
}

// Returns whether it is clear that it is the target.
bool Identity::resolve(const IdentityEvidence& evidence) {
  if (!is_ambiguous_) return true;
  const bool is_clear = !evidence.has_distractor || baseline_ratio_ < kBlind ||
                        evidence.ratio > kClear * baseline_ratio_;
  clear_frames_ = is_clear ? clear_frames_ + 1 : 0;
  is_ambiguous_ = clear_frames_ < kClearFrames;
  return !is_ambiguous_;
}

void Identity::learn_baseline(const Appearance& sample, const BoundingBox& box) {
  if (baseline_samples_ < kBaselineSamples) {
    ++baseline_samples_;
    baseline_distance_ +=
        (own_distance(sample) - baseline_distance_) / static_cast<float>(baseline_samples_ + 5);
  }
  const IdentityEvidence evidence = compare(sample, box);
  if (!evidence.has_distractor) return;
  const float rate =
      std::max(kBaselineRate, 1 / (kExpectedRatios + static_cast<float>(baseline_ratios_)));
  baseline_ratio_ += rate * (evidence.ratio - baseline_ratio_);
  baseline_ratios_ = std::min(baseline_ratios_ + 1, kBaselineSamples);
}

void Identity::confirm(const BoundingBox& box, const Appearance& sample,
                       const IdentityEvidence& evidence, bool is_whole) {
  bool is_near = false;
  for (const Distractor& one : distractors_) {
    const float common = common_with(one, box);
    if (common > kTouchOverlap && one.moves_steadily()) return mark_ambiguous();
    is_near |= common > kNearOverlap;
  }
  if (is_near || !resolve(evidence)) return;
  learn_baseline(sample, box);
  if (!is_whole || frame_ - latest_sample_ < kSampleInterval) return;
  if (gallery_.size() < kFirstSamples && frame_ - start_ < kFirstFrames) {
    gallery_.push_back(sample);
  } else if (evidence.dissimilarity < kMostDissimilarity) {
    if (recent_.size() == kRecentSamples) recent_.pop_front();
    recent_.push_back({sample, frame_});
  } else {
    return;
  }
  latest_sample_ = frame_;
}

// The known distractor that it is: by where it is, or after a longer time by its looks alone.
Distractor* Identity::match(const BoundingBox& box, const Appearance& sample) {
  Distractor* best = nullptr;
  float most = 0;
  for (Distractor& one : distractors_) {
    const float alike = similarity(one.gallery, sample);
    float value = 0;
    if (frame_ - one.last_seen > kPredictable) {
      if (alike > kReturnSimilarity) value = alike - 0.5f;  // a place speaks for more
    } else if (alike > kSameSimilarity) {
      const float common = std::max(overlap(one.predicted(frame_), box), overlap(one.box, box));
      if (common > kSameOverlap) value = common;
    }
    if (value > most) most = value, best = &one;
  }
  return best;
}

void Identity::observe_distractor(const BoundingBox& box, const Appearance& sample,
                                  bool is_target_elsewhere) {
  Distractor* known = match(box, sample);
  if (known == nullptr) {
    if (!is_target_elsewhere) return;
    if (distractors_.size() >= kMostDistractors) {
      // The one that was seen least lately, or a few times only.
      distractors_.erase(std::ranges::min_element(distractors_, std::less(), [](const auto& one) {
        return one.last_seen + 20 * std::min(one.sightings, 10);
      }));
    }
    distractors_.push_back({box, 0, 0, {sample}, frame_, 1});
    return;
  }
  const int frames = frame_ - known->last_seen;
  if (frames > kPredictable) {
    known->velocity_x = known->velocity_y = 0;
  } else if (frames > 0) {
    const auto n = static_cast<float>(frames);
    known->velocity_x += ((box.center_x() - known->box.center_x()) / n - known->velocity_x) / 2;
    known->velocity_y += ((box.center_y() - known->box.center_y()) / n - known->velocity_y) / 2;
  }
  if (frames > 0) ++known->sightings;
  known->box = box;
  known->last_seen = frame_;
  if (is_target_elsewhere && known->gallery.size() < kDistractorSamples &&
      similarity(known->gallery, sample) < kNovelSimilarity) {
    known->gallery.push_back(sample);
  }
}

}  // namespace cltrack
