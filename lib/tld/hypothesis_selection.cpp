// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/hypothesis_selection.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

#include "core/box_sizes.h"

namespace cltrack {
namespace {

constexpr std::size_t kMostCandidates = 3;  // that are looked at,
constexpr std::size_t kMostLost = 6;        // and after a long loss
constexpr float kElsewhere = 0.5f;          // overlap with here, under which a place is another
constexpr float kFarAway = 0.3f;            // and for one that motion may have drifted from
constexpr int kUnsupported = 10;    // frames in a row, after which motion may have drifted off
constexpr int kUnsettled = 10;      // frames after a loss or a jump
constexpr float kOtherSize = 1.3f;  // that is looked at on these, and the inverse
constexpr float kSizeGain = 0.02f;  // in presence, that a place needs on these

bool overlaps(const std::optional<Hypothesis>& here, const BoundingBox& box, float least) {
  return here && overlap(here->box, box) > least;
}

}  // namespace

std::vector<BoundingBox> HypothesisSelection::propose_candidates(
    const std::optional<Hypothesis>& here, bool is_long_lost, std::span<const ScoredBox> clusters) {
  here_ = here;
  is_long_lost_ = is_long_lost;
  has_scan_ = true;
  alternative_.reset();
  std::vector<ScoredBox> best(clusters.begin(), clusters.end());
  std::ranges::stable_sort(best, std::greater(), &ScoredBox::confidence);
  const bool is_sure = here && here->presence >= config_.verify_presence;
  if (is_sure && here->evidence.support == 0 && !best.empty() &&
      best[0].confidence > here->evidence.conservative + config_.drift_margin &&
      !overlaps(here, best[0].box, kFarAway)) {
    alternative_ = best[0].box;
  }
  std::vector<BoundingBox> places;
  if (!is_sure || is_long_lost_) {
    for (const ScoredBox& cluster : best) {
      if (overlaps(here, cluster.box, kElsewhere)) continue;
      places.push_back(cluster.box);
      if (places.size() == (is_long_lost_ ? kMostLost : kMostCandidates)) break;
    }
  }
  if (is_unsettled() && here && here->presence >= config_.hold_presence) {
    places.push_back(scaled(here->box, kOtherSize));
    places.push_back(scaled(here->box, 1 / kOtherSize));
  }
  return places;
}

std::vector<BoundingBox> HypothesisSelection::propose_candidates(
    const std::optional<Hypothesis>& here, bool is_long_lost) {
  here_ = here;
  is_long_lost_ = is_long_lost;
  has_scan_ = false;
  alternative_.reset();
  return {};
}

Verdict HypothesisSelection::decide(const std::optional<BoundingBox>& before,
                                    std::span<const Hypothesis> verified) {
  Verdict verdict = choose(before, verified);
  if (is_long_lost_) {
    unsettled_frames_ = kUnsettled;
  } else if (unsettled_frames_ > 0) {
    --unsettled_frames_;
  } else if (verdict.has_jumped) {
    unsettled_frames_ = kUnsettled;
  }
  return verdict;
}

// A target has often another size when it is found again, or is found at one that is not its own.
// The filter would learn that one and stay with it.
bool HypothesisSelection::is_unsettled() const { return unsettled_frames_ > 0 || is_long_lost_; }

// Once a target is gone, its filter responds to whatever is most like it.
bool HypothesisSelection::believes_motion() const {
  return here_ &&
         here_->presence >= (is_long_lost_ ? config_.redetect_presence : config_.hold_presence);
}

// Clutter is found here on one frame and there on the next: that is no evidence against anything.
// Nor are a few frames on which the ferns do not know a target that is blurred or turns.
void HypothesisSelection::count_alternatives() {
  if (!has_scan_) return;
  const bool is_unsupported = here_ && here_->evidence.support == 0;
  unsupported_frames_ = is_unsupported ? std::min(unsupported_frames_ + 1, kUnsupported) : 0;
  if (!alternative_) {
    alternative_frames_ = std::max(0, alternative_frames_ - 1);
    return;
  }
  const bool is_known = alternative_before_ && overlap(*alternative_before_, *alternative_) > 0;
  alternative_frames_ = is_known ? alternative_frames_ + 1 : 1;
  alternative_before_ = alternative_;
}

Verdict HypothesisSelection::choose(const std::optional<BoundingBox>& before,
                                    std::span<const Hypothesis> verified) {
  count_alternatives();
  if (alternative_ && alternative_frames_ >= config_.drift_frames &&
      unsupported_frames_ >= kUnsupported) {
    alternative_frames_ = unsupported_frames_ = 0;
    return {.estimate = Estimate{*alternative_, config_.verify_presence, false},
            .has_jumped = true,
            .reinitialise_filter = true};
  }
  const std::optional<BoundingBox> candidate = std::exchange(candidate_, std::nullopt);
  const bool follows_motion = believes_motion();
  const float here = here_ ? here_->presence : 0;
  const float compared = here_ ? compared_presence(*here_) : 0;
  const float gain = is_unsettled() ? kSizeGain : config_.redetect_gain;
  const auto best = std::ranges::max_element(verified, std::less(), &Hypothesis::presence);
  if (best != verified.end() && best->presence >= config_.redetect_presence &&
      best->presence >= (follows_motion ? compared + gain : 0)) {
    const bool is_here = overlaps(here_, best->box, kFarAway);  // in another size
    const bool is_found_again = candidate && overlap(*candidate, best->box) > 0;
    if (is_here || is_found_again || best->presence >= kSurePresence) {
      alternative_frames_ = 0;
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
