// SPDX-License-Identifier: LGPL-2.1-or-later
// How well boxes agree with the ground truth. Every frame counts, the first one with the given box
// too, as in the evaluation of the TLD author.
#pragma once

#include <array>
#include <limits>
#include <span>

#include "dataset.h"

namespace cltrack::accuracy {

inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

struct Agreement {
  double precision = 0;  // correct boxes / reported boxes; 0 if none is reported
  double recall = 0;     // correct boxes / frames with the target; undefined without such frames
  double f = 0;          // harmonic mean of both
};

inline constexpr std::size_t kOverlapLimits = 21;  // 0, 0.05 .. 1
inline constexpr std::size_t kCentreLimits = 51;   // 0, 1 .. 50 pixels

struct Scores {
  Agreement at25;                 // a box is correct if its overlap with the truth is over 0.25
  Agreement at50;                 // ... 0.5
  double auc = kUndefined;        // OTB: mean of `success`
  double p20 = kUndefined;        // OTB: `near` at 20 pixels
  double absent_fp = kUndefined;  // share of frames without the target on which a box is reported

  // Shares of the frames with the target; undefined without such frames.
  std::array<double, kOverlapLimits> success{};  // whose overlap exceeds the limit; a missing box
                                                 //   overlaps nothing
  std::array<double, kCentreLimits> near{};      // whose box has its centre within the limit of the
                                                 //   true one
};

// `part` of `whole`; undefined without a whole.
template <typename Part>
double share(Part part, std::size_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : kUndefined;
}

// 0 if there is none.
float frame_overlap(const std::optional<BoundingBox>& a, const std::optional<BoundingBox>& b);

// Both spans have the same length, one entry a frame.
Agreement agreement(std::span<const std::optional<BoundingBox>> truth,
                    std::span<const std::optional<BoundingBox>> reported, float min_overlap);
Scores score(std::span<const std::optional<BoundingBox>> truth,
             std::span<const std::optional<BoundingBox>> reported);

// The standard deviation of what the values are a sample of. Undefined for less than two.
double standard_deviation(std::span<const double> values);

struct Interval {
  double low = kUndefined;
  double high = kUndefined;
};

// Where the mean of such values is to be expected, in 95 of 100 cases: the percentile bootstrap
// (Efron, Tibshirani, "An Introduction to the Bootstrap", 1993). Undefined for less than two.
Interval bootstrap(std::span<const double> values);

// The value below which `share` of the values lie, by linear interpolation: 0.5 is the median.
// Undefined without values.
double percentile(std::vector<double> values, double share);

}  // namespace cltrack::accuracy
