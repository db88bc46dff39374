// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/usual_quality.h"

#include <algorithm>

namespace cltrack {
namespace {

constexpr float kClearPsr = 4;  // of colours that tell the target from all else

}  // namespace

void UsualQuality::Mean::add(float value) {
  constexpr int kFrames = 100;
  count_ = std::min(count_ + 1, kFrames);
  value_ += (value - value_) / static_cast<float>(count_);
}

void UsualQuality::add(const FilterQuality& quality) {
  filter_.add(quality.filter);
  if (quality.color) color_.add(*quality.color);
  if (quality.color_psr) color_psr_.add(*quality.color_psr);
}

UsualQuality::Ratios UsualQuality::compare(const FilterQuality& quality) const {
  Ratios ratios = {.filter = filter_.ratio(quality.filter)};
  if (quality.color) ratios.color = color_.ratio(*quality.color);
  if (quality.color_psr) {
    ratios.color_psr = color_psr_.ratio(*quality.color_psr);
    ratios.color_weight = std::clamp(color_psr_.value() / kClearPsr, 0.0f, 1.0f);
  }
  return ratios;
}

}  // namespace cltrack
