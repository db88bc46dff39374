// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackers refuse of targets, whichever the algorithm. All of it throws
// Error{invalid_argument}.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "cltrack/bounding_box.h"
#include "cltrack/seed.h"

namespace cltrack {

// How many targets there may be.
struct TargetLimit {
  int most = 0;
  std::string advice;  // what to do, once there are as many

  // That of a config's max_targets.
  static TargetLimit of_config(int max_targets);

  // Throws if one more than `count` is too many.
  void check(std::size_t count) const;
};

// Throws if there is no frame in which a target could have this box: for when none is known yet.
void check_box(const BoundingBox& box);

// Throws: a tracker by `algorithm` takes no seeds of this kind, but `allowed`.
[[noreturn]] void refuse_seed(const Seed& seed, std::string_view algorithm,
                              std::string_view allowed);

}  // namespace cltrack
