// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/presence.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace cltrack {
namespace {

// What is far off counts no more than what bounded it in the fit.
double log_ratio(float ratio, double least, double most = 0.5) {
  constexpr double kLeastRatio = 0.05;  // answers may be 0 or less
  return std::clamp(std::log(std::max(kLeastRatio, static_cast<double>(ratio))), least, most);
}

// Of the odds' logarithm.
struct Terms {
  double filter_ratio, filter_psr, colors, object_model, detector, background, inside, youth;
};

Terms terms_of(const Evidence& evidence) {
  constexpr int kMostStrange = 50;                  // what is longer is all alike
  constexpr double kLeastPsr = 4.5, kMostPsr = 40;  // what is beyond is all alike, too
  const double psr = std::clamp(static_cast<double>(evidence.filter_psr), kLeastPsr, kMostPsr);
  const double youth = std::max(0.0, 1 - static_cast<double>(evidence.age) / Evidence::kGrownUp);
  return {.filter_ratio = 1.02 * log_ratio(evidence.filter_ratio, -3),
          .filter_psr = 1.18 * std::log(psr),
          .colors = static_cast<double>(evidence.color_weight) *
                    (1.7 * log_ratio(evidence.color_ratio, -2) +
                     0.7 * log_ratio(evidence.color_level, -3, 0.3)),
          .object_model = 2.55 * static_cast<double>(evidence.conservative),
          .detector = 0.5 * std::log1p(evidence.support),
          .background = -0.12 * std::log1p(std::min(evidence.strange, kMostStrange)),
          .inside = 1.3 * static_cast<double>(evidence.inside),
          .youth = 4 * youth};
}

}  // namespace

float presence(const Evidence& evidence) {
  const Terms terms = terms_of(evidence);
  const double odds = -3.77 + terms.filter_ratio + terms.filter_psr + terms.colors +
                      terms.object_model + terms.detector + terms.background + terms.inside +
                      terms.youth;
  return static_cast<float>(1 / (1 + std::exp(-odds)));
}

const char* fallen_evidence(const Evidence& before, const Evidence& now) {
  const Terms was = terms_of(before), is = terms_of(now);
  const std::pair<double, const char*> falls[] = {
      {was.filter_ratio + was.filter_psr - is.filter_ratio - is.filter_psr, "filter"},
      {was.colors - is.colors, "colors"},
      {was.object_model - is.object_model, "object-model"},
      {was.detector - is.detector, "detector"},
      {was.background - is.background, "background"},
      {was.inside - is.inside, "outside"}};
  return std::ranges::max_element(falls, std::less(), &std::pair<double, const char*>::first)
      ->second;
}

}  // namespace cltrack
