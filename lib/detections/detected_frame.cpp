// SPDX-License-Identifier: LGPL-2.1-or-later
#include "detections/detected_frame.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

namespace cltrack {
namespace {

// So much later than usual, a round has found nothing.
constexpr double kOverdue = 1.5;
constexpr double kAtWork = 1.0;  // seconds after a round that was seen

// Leaves the most confident ones, of equal ones the first, in their order. Returns how many go.
std::size_t leave_out(std::vector<std::size_t>& indices, std::span<const DetectedObject> found) {
  if (indices.size() <= kMostDetections) return 0;
  std::vector<float> sorted;
  for (const std::size_t index : indices) sorted.push_back(found[index].confidence);
  const auto last = sorted.begin() + kMostDetections - 1;
  std::ranges::nth_element(sorted, last, std::greater());
  std::ptrdiff_t of_last = std::ranges::count(sorted.begin(), last + 1, *last);
  return std::erase_if(indices, [&](std::size_t index) {
    const float confidence = found[index].confidence;
    if (confidence == *last) return of_last-- <= 0;
    return confidence < *last;
  });
}

}  // namespace

bool is_in_region(const SearchRegion& region, const BoundingBox& box, int width, int height) {
  return region.contains(clip_to_frame(box, width, height), width, height);
}

DetectedFrame count_detections(const DetectionConfig& config, std::span<const DetectedObject> found,
                               bool is_round, int width, int height) {
  DetectedFrame frame;
  if (config.use == DetectionUse::ignore) return frame;
  frame.is_round = is_round;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const DetectedObject& object = found[i];
    frame.labels.insert(object.label);
    if (!config.types.empty() && !std::ranges::count(config.types, object.label)) continue;
    if (!(object.confidence >= config.least_confidence)) continue;
    if (is_in_region(config.region, object.box, width, height)) frame.indices.push_back(i);
  }
  frame.left_out = leave_out(frame.indices, found);
  for (const std::size_t index : frame.indices) frame.detections.push_back(found[index]);
  return frame;
}

bool DetectionRounds::see(double now, bool ran, int every) {
  ++frames_;
  if (ran) {
    if (observed_ && now > *observed_) {
      gaps_.push_back(now - *observed_);
      if (gaps_.size() > kGaps) gaps_.erase(gaps_.begin());
    }
    observed_ = latest_ = now;
    frames_ = 0;
    return true;
  }
  if (!observed_) return false;
  if (now < latest_) latest_ = now;  // a seek
  const double usual = interval();
  const bool is_due = every > 0 ? frames_ >= every : usual > 0 && now - latest_ >= kOverdue * usual;
  if (!is_due) return false;
  // A gap of any length is one round.
  const bool is_gap = every > 0 || now - latest_ >= (kOverdue + 1) * usual;
  latest_ = is_gap ? now : latest_ + usual;
  frames_ = 0;
  return true;
}

double DetectionRounds::interval() const {
  if (gaps_.size() < kLeastGaps) return 0;
  std::vector<double> sorted = gaps_;
  const auto middle = sorted.begin() + std::ssize(sorted) / 2;
  std::ranges::nth_element(sorted, middle);
  return *middle;
}

bool DetectionRounds::is_at_work(double now) const {
  return observed_ && std::abs(now - *observed_) <= kAtWork;
}

}  // namespace cltrack
