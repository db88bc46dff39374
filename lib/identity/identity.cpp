// SPDX-License-Identifier: LGPL-2.1-or-later
#include "identity/identity.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace cltrack {
namespace {

constexpr float kNoise = 0.02f;          // distance that two samples of the same thing may have
constexpr float kLeastUsual = 0.03f;     // usual distance
constexpr float kExpectedUsual = 0.05f;  // before the first frame, which counts as five
constexpr float kUsualRate = 0.025f;     // at which the usual ratio follows
constexpr int kUsualSamples = 40;        // later ones may be of somebody else

constexpr std::size_t kFirstSamples = 5, kMostSamples = 13;
constexpr int kFirstFrames = 60;            // of which the first samples are
constexpr int kSampleInterval = 5;          // frames
constexpr int kSureFrames = 60;             // in a row, before a later sample is taken
constexpr float kNovel = 0.045f;            // distance from which a sample adds something
constexpr float kMostDissimilarity = 0.7f;  // of a later sample: it has not changed suddenly
constexpr float kClearRatio = 0.5f;         // and nobody else looks nearly like it

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
constexpr float kAlibi = 0.25f;  // of its distance, for each size that it was further away
constexpr float kMostAway = 3;   // sizes that count

float similarity(std::span<const Appearance> gallery, const Appearance& sample) {
  float best = 0;
  for (const Appearance& one : gallery) best = std::max(best, one.similarity(sample));
  return best;
}

float distance(float similarity) { return kNoise + 1 - similarity; }

}  // namespace

BoundingBox Distractor::predicted(int frame) const {
  const auto frames = static_cast<float>(std::min(frame - last_seen, kPredictable));
  return {box.x + frames * velocity_x, box.y + frames * velocity_y, box.width, box.height};
}

void Identity::start(const std::optional<Appearance>& sample) {
  gallery_.clear();
  if (!sample) return;
  gallery_.push_back(*sample);
  first_samples_ = 1;
  usual_distance_ = kExpectedUsual;
  usual_samples_ = sure_frames_ = 0;
  usual_ratio_ = 1;
  start_ = latest_sample_ = frame_;
}

IdentityEvidence Identity::compare(const Appearance& sample, const BoundingBox& box) const {
  IdentityEvidence evidence;
  if (!has_gallery()) return evidence;
  const float usual = std::max(kLeastUsual, usual_distance_);
  const float own = distance(similarity(gallery_, sample));
  evidence.dissimilarity = std::log(own / usual);
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
                      (1 + kAlibi * std::clamp(away, 0.0f, kMostAway));
    if (nearest != nullptr && its >= evidence.distractor_distance) continue;
    nearest = &distractor;
    evidence.distractor_distance = its;
  }
  if (nearest == nullptr) return evidence;
  evidence.has_distractor = true;
  evidence.usual_ratio = usual_ratio_;
  evidence.ratio = std::log(evidence.distractor_distance / own);
  float alike = 0;
  for (const Appearance& one : nearest->gallery) alike = std::max(alike, similarity(gallery_, one));
  evidence.distinctness = std::log(distance(alike) / usual);
  return evidence;
}

bool Identity::is_near(const Distractor& distractor, const BoundingBox& box) const {
  return frame_ - distractor.last_seen < kNearFrames &&
         overlap(distractor.predicted(frame_), box) > kNearOverlap;
}

void Identity::confirm(const BoundingBox& box, const Appearance& sample,
                       const IdentityEvidence& evidence, bool is_whole) {
  if (std::ranges::any_of(distractors_, [&](const auto& one) { return is_near(one, box); })) {
    sure_frames_ = 0;
    return;
  }
  const float own = distance(similarity(gallery_, sample));
  if (usual_samples_ < kUsualSamples) {
    ++usual_samples_;
    usual_distance_ += (own - usual_distance_) / static_cast<float>(usual_samples_ + 5);
  }
  if (evidence.has_distractor) {
    usual_ratio_ += kUsualRate * (compare(sample, box).ratio - usual_ratio_);
  }
  ++sure_frames_;
  if (!is_whole || frame_ - latest_sample_ < kSampleInterval) return;
  if (first_samples_ < kFirstSamples && frame_ - start_ < kFirstFrames) {
    ++first_samples_;
  } else if (sure_frames_ < kSureFrames || own < kNovel ||
             evidence.dissimilarity > kMostDissimilarity || evidence.ratio < kClearRatio) {
    return;
  } else if (gallery_.size() >= kMostSamples) {
    drop_redundant();
  }
  gallery_.push_back(sample);
  latest_sample_ = frame_;
}

// Of the later samples, the one that another is most like.
void Identity::drop_redundant() {
  std::size_t redundant = first_samples_;
  float most = -1;
  for (std::size_t i = first_samples_; i < gallery_.size(); ++i) {
    for (std::size_t j = 0; j < gallery_.size(); ++j) {
      const float alike = i == j ? -1 : gallery_[i].similarity(gallery_[j]);
      if (alike > most) most = alike, redundant = i;
    }
  }
  gallery_.erase(gallery_.begin() + static_cast<std::ptrdiff_t>(redundant));
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

void Identity::see_distractor(const BoundingBox& box, const Appearance& sample,
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
