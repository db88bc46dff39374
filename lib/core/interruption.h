// SPDX-License-Identifier: LGPL-2.1-or-later
// How a tracker hears that a frame is to be given up: it asks between two pieces of work, each of
// which is at most about one target's.
#pragma once

#include <stop_token>

#include "cltrack/error.h"

namespace cltrack {

// Throws Error{interrupted}.
inline void throw_if_stopped(const std::stop_token& stop) {
  if (!stop.stop_requested()) return;
  throw Error(ErrorCode::interrupted, "the frame was given up: a stop was requested");
}

}  // namespace cltrack
