// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>

namespace cltrack {

bool is_supported(const Evidence& evidence) {
  return evidence.support > 0 || evidence.conservative > 0.5f;
}

float presence(const Evidence& evidence) {
  constexpr int kMostUnsupported = 50;  // what is longer is all alike
  const FilterQuality& filter = evidence.filter;
  const double odds = -6.1 + 1.8 * static_cast<double>(filter.filter) +
                      0.85 * std::log(std::max(1.0, static_cast<double>(filter.apce))) +
                      2.0 * static_cast<double>(evidence.conservative) +
                      0.37 * std::log1p(evidence.support) -
                      0.51 * std::log1p(std::min(evidence.unsupported, kMostUnsupported)) +
                      3.0 * static_cast<double>(evidence.inside);
  return static_cast<float>(1 / (1 + std::exp(-odds)));
}

}  // namespace cltrack
