// SPDX-License-Identifier: LGPL-2.1-or-later
// Checks of targets that all algorithms share. All of them throw Error{invalid_argument}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cltrack/bounding_box.h"
#include "cltrack/seed.h"

namespace cltrack {

// The largest number of targets.
struct TargetLimit {
  int most = 0;
  std::string advice;  // what to do when it is reached

  // From a config's max_targets.
  static TargetLimit of_config(int max_targets);

  // Throws if a target cannot be added to `count` targets.
  void check(std::size_t count) const;
};

// Throws if the box is not finite or has a side under kMinimumBoxSide: it is not valid in a frame
// of any size.
void check_box(const BoundingBox& box);

// Throws an error which says that `algorithm` accepts `allowed`, not this kind of seed.
[[noreturn]] void refuse_seed(const Seed& seed, std::string_view algorithm,
                              std::string_view allowed);

}  // namespace cltrack
