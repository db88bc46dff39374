// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>

namespace cltrack {
namespace {

// What is far off counts no more than what bounded it in the fit.
double log_ratio(float ratio, double least) {
  constexpr double kLeastRatio = 0.05;  // answers may be 0 or less
  constexpr double kMost = 0.5;
  return std::clamp(std::log(std::max(kLeastRatio, static_cast<double>(ratio))), least, kMost);
}

}  // namespace

float presence(const Evidence& evidence) {
  constexpr int kMostStrange = 50;  // what is longer is all alike
  const double odds = -1.17 + 1.14 * log_ratio(evidence.filter_ratio, -3) +
                      1.3 * log_ratio(evidence.color_ratio, -2) +
                      2.56 * static_cast<double>(evidence.conservative) +
                      0.49 * std::log1p(evidence.support) -
                      0.27 * std::log1p(std::min(evidence.strange, kMostStrange)) +
                      1.19 * static_cast<double>(evidence.inside);
  return static_cast<float>(1 / (1 + std::exp(-odds)));
}

}  // namespace cltrack
