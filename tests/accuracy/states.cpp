// SPDX-License-Identifier: LGPL-2.1-or-later
#include "states.h"

#include <algorithm>
#include <cmath>

namespace cltrack::accuracy {
namespace {

constexpr float kRight = 0.25f;
constexpr float kFound = 0.5f;

std::size_t bin_of(float confidence) {
  // Not a number goes into the first bin: the error is then not a number either.
  if (!(confidence > 0)) return 0;
  const float position = std::min(confidence, 1.0f) * static_cast<float>(kConfidenceBins);
  return std::min(static_cast<std::size_t>(position), kConfidenceBins - 1);  // 1 is in the last one
}

void add(StateFrames& sum, const StateFrames& other) {
  sum.frames += other.frames;
  sum.right += other.right;
  sum.visible += other.visible;
}

void count(StateFrames& state, bool right, bool visible) {
  ++state.frames;
  if (right) ++state.right;
  if (visible) ++state.visible;
}

void count(ConfidenceBin& bin, bool right, float confidence) {
  ++bin.boxes;
  if (right) ++bin.right;
  bin.confidence += static_cast<double>(confidence);
}

}  // namespace

StateCounts& StateCounts::operator+=(const StateCounts& other) {
  visible += other.visible;
  absent += other.absent;
  found += other.found;
  silent += other.silent;
  add(tracking, other.tracking);
  add(uncertain, other.uncertain);
  for (std::size_t i = 0; i < kConfidenceBins; ++i) {
    bins[i].boxes += other.bins[i].boxes;
    bins[i].right += other.bins[i].right;
    bins[i].confidence += other.bins[i].confidence;
  }
  return *this;
}

double StateCounts::calibration_error() const {
  std::size_t boxes = 0;
  double error = 0;
  for (const ConfidenceBin& bin : bins) {
    boxes += bin.boxes;
    error += std::abs(bin.confidence - static_cast<double>(bin.right));
  }
  return share(error, boxes);
}

double StateCounts::geometric_mean() const {
  return std::sqrt(true_positive_rate() * true_negative_rate());
}

StateCounts count_states(std::span<const std::optional<BoundingBox>> truth,
                         std::span<const Observation> observed) {
  StateCounts counts;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    const Observation& observation = observed[i];
    const bool visible = truth[i].has_value();
    const float common = frame_overlap(truth[i], observation.box);
    const bool right = common >= kRight;
    ++(visible ? counts.visible : counts.absent);
    if (common >= kFound) ++counts.found;
    if (!visible && !observation.box) ++counts.silent;
    if (observation.state == TrackState::tracking) count(counts.tracking, right, visible);
    if (observation.state == TrackState::uncertain) count(counts.uncertain, right, visible);
    if (observation.box) {
      count(counts.bins[bin_of(observation.confidence)], right, observation.confidence);
    }
  }
  return counts;
}

}  // namespace cltrack::accuracy
