// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metrics.h"

#include <algorithm>
#include <cmath>

namespace cltrack::accuracy {
namespace {

using BoxSpan = std::span<const std::optional<BoundingBox>>;

constexpr int kAucSteps = 20;
constexpr float kCentreLimit = 20.0f;  // pixels

double share(std::size_t part, std::size_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kUndefined;
}

float frame_overlap(const std::optional<BoundingBox>& a, const std::optional<BoundingBox>& b) {
  return a && b ? overlap(*a, *b) : 0.0f;
}

bool centre_is_near(const BoundingBox& a, const BoundingBox& b) {
  return std::hypot(a.center_x() - b.center_x(), a.center_y() - b.center_y()) <= kCentreLimit;
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
  for (int step = 0; step <= kAucSteps; ++step) {
    const float threshold = static_cast<float>(step) / kAucSteps;
    sum += share(count_over(truth, reported, threshold), visible);
  }
  scores.auc = sum / (kAucSteps + 1);

  std::size_t near = 0;
  std::size_t false_boxes = 0;
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (!reported[i]) continue;
    if (!truth[i]) {
      ++false_boxes;
    } else if (centre_is_near(*truth[i], *reported[i])) {
      ++near;
    }
  }
  scores.p20 = share(near, visible);
  scores.absent_fp = share(false_boxes, truth.size() - visible);
  return scores;
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
