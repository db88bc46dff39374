// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metrics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace cltrack::accuracy {
namespace {

using BoxSpan = std::span<const std::optional<BoundingBox>>;

float centre_distance(const BoundingBox& a, const BoundingBox& b) {
  return std::hypot(a.center_x() - b.center_x(), a.center_y() - b.center_y());
}

std::size_t count_boxes(BoxSpan boxes) {
  return static_cast<std::size_t>(
      std::ranges::count_if(boxes, [](const auto& box) { return box.has_value(); }));
}

std::size_t count_over(BoxSpan truth, BoxSpan reported, float threshold) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (frame_overlap(truth[i], reported[i]) > threshold) ++count;
  }
  return count;
}

}  // namespace

float frame_overlap(const std::optional<BoundingBox>& a, const std::optional<BoundingBox>& b) {
  return a && b ? overlap(*a, *b) : 0.0f;
}

Agreement agreement(BoxSpan truth, BoxSpan reported, float min_overlap) {
  const std::size_t correct = count_over(truth, reported, min_overlap);
  const std::size_t boxes = count_boxes(reported);
  const std::size_t visible = count_boxes(truth);
  Agreement result;
  result.precision = boxes > 0 ? share(correct, boxes) : 0.0;
  result.recall = share(correct, visible);
  result.f = visible > 0 ? share(2 * correct, boxes + visible) : kUndefined;
  return result;
}

Scores score(BoxSpan truth, BoxSpan reported) {
  Scores scores;
  scores.at25 = agreement(truth, reported, 0.25f);
  scores.at50 = agreement(truth, reported, 0.5f);

  const std::size_t visible = count_boxes(truth);
  double sum = 0;
  for (std::size_t step = 0; step < kOverlapLimits; ++step) {
    const float limit = static_cast<float>(step) / static_cast<float>(kOverlapLimits - 1);
    scores.success[step] = share(count_over(truth, reported, limit), visible);
    sum += scores.success[step];
  }
  scores.auc = sum / kOverlapLimits;

  std::array<std::size_t, kCentreLimits> near{};
  std::size_t false_boxes = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!reported[i]) continue;
    if (!truth[i]) {
      ++false_boxes;
      continue;
    }
    const float distance = centre_distance(*truth[i], *reported[i]);
    for (std::size_t limit = 0; limit < kCentreLimits; ++limit) {
      if (distance <= static_cast<float>(limit)) ++near[limit];
    }
  }
  std::ranges::transform(near, scores.near.begin(),
                         [&](std::size_t count) { return share(count, visible); });
  scores.p20 = scores.near[20];
  scores.absent_fp = share(false_boxes, truth.size() - visible);
  return scores;
}

double standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return kUndefined;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return std::sqrt(sum / (count - 1));
}

Interval bootstrap(std::span<const double> values) {
  constexpr int kSamples = 2000;
  if (values.size() < 2) return {};
  std::mt19937_64 random(0);
  std::vector<double> means;
  for (int sample = 0; sample < kSamples; ++sample) {
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[random() % values.size()];
    means.push_back(sum / static_cast<double>(values.size()));
  }
  return {percentile(means, 0.025), percentile(means, 0.975)};
}

double percentile(std::vector<double> values, double share_below) {
  if (values.empty()) return kUndefined;
  std::ranges::sort(values);
  const double position = share_below * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(position);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  const double fraction = position - static_cast<double>(below);
  return values[below] + fraction * (values[above] - values[below]);
}

}  // namespace cltrack::accuracy
