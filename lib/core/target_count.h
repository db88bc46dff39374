// SPDX-License-Identifier: LGPL-2.1-or-later
// The bound on the targets of a tracker.
#pragma once

#include <cstddef>
#include <string>

#include "cltrack/error.h"

namespace cltrack {

// Throws Error{invalid_argument} if one more than `count` targets is more than `most`.
inline void check_target_count(std::size_t count, int most) {
  if (count < static_cast<std::size_t>(most)) return;
  throw Error(ErrorCode::invalid_argument,
              "there are " + std::to_string(count) + " targets already, and max_targets is " +
                  std::to_string(most) +
                  ": remove one first, or allow more, each of which costs time on every frame");
}

}  // namespace cltrack
