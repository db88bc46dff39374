// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>

namespace cltrack {
namespace {

// What is far off counts no more than what bounded it in the fit.
double log_ratio(float ratio, double least, double most = 0.5) {
  constexpr double kLeastRatio = 0.05;  // answers may be 0 or less
  return std::clamp(std::log(std::max(kLeastRatio, static_cast<double>(ratio))), least, most);
}

}  // namespace

float presence(const Evidence& evidence) {
  constexpr int kMostStrange = 50;                  // what is longer is all alike
  constexpr double kLeastPsr = 4.5, kMostPsr = 40;  // what is beyond is all alike, too
  const double psr = std::clamp(static_cast<double>(evidence.filter_psr), kLeastPsr, kMostPsr);
  const double youth = std::max(0.0, 1 - static_cast<double>(evidence.age) / Evidence::kGrownUp);
  const double odds = -3.77 + 1.02 * log_ratio(evidence.filter_ratio, -3) + 1.18 * std::log(psr) +
                      static_cast<double>(evidence.color_weight) *
                          (1.7 * log_ratio(evidence.color_ratio, -2) +
                           0.7 * log_ratio(evidence.color_level, -3, 0.3)) +
                      2.55 * static_cast<double>(evidence.conservative) +
                      0.5 * std::log1p(evidence.support) -
                      0.12 * std::log1p(std::min(evidence.strange, kMostStrange)) +
                      1.3 * static_cast<double>(evidence.inside) + 4 * youth;
  return static_cast<float>(1 / (1 + std::exp(-odds)));
}

}  // namespace cltrack
