// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/usual_quality.h"

#include <algorithm>

namespace cltrack {

void UsualQuality::Mean::add(float value) {
  constexpr int kFrames = 100;
  count_ = std::min(count_ + 1, kFrames);
  value_ += (value - value_) / static_cast<float>(count_);
}

void UsualQuality::add(const FilterQuality& quality) {
  filter_.add(quality.filter);
  if (quality.color) color_.add(*quality.color);
}

UsualQuality::Ratios UsualQuality::compare(const FilterQuality& quality) const {
  Ratios ratios = {.filter = filter_.ratio(quality.filter)};
  if (quality.color) ratios.color = color_.ratio(*quality.color);
  return ratios;
}

}  // namespace cltrack
