// SPDX-License-Identifier: LGPL-2.1-or-later
// Stops the processing of a frame: a tracker checks for a stop request between steps, at least once
// per target.
#pragma once

#include <stop_token>

#include "cltrack/error.h"

namespace cltrack {

// Throws Error{interrupted}.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (!stop.stop_requested()) return;
  throw Error(ErrorCode::interrupted, "the frame was abandoned: a stop was requested");
}

}  // namespace cltrack
