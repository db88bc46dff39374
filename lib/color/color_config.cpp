// SPDX-License-Identifier: LGPL-2.1-or-later
#include "color/color_config.h"

#include <limits>
#include <sstream>

#include "core/error.h"

namespace cltrack {
namespace {

template <typename T>
void check(const char* name, T value, T smallest, T largest) {
  if (value >= smallest && value <= largest) return;  // false for NaN
  std::ostringstream message;
  message << name << " is " << value << "; allowed: " << smallest << " to " << largest;
  throw Error(ErrorCode::invalid_argument, message.str());
}

}  // namespace

void validate(const ColorConfig& config) {
  check("minimum_area", config.minimum_area, 1, std::numeric_limits<int>::max());
  check("blobs", config.blobs, 0, 16);
  check("area_ratio", config.area_ratio, 0.0f, 1.0f);
  check("area_rate", config.area_rate, 0.0f, 1.0f);
  check("reach", config.reach, 0.0f, 1000.0f);
  check("trail", config.trail, 0, 1024);
  check("threads", config.threads, 1, 64);
}

}  // namespace cltrack
