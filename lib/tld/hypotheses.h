// SPDX-License-Identifier: LGPL-2.1-or-later
// The places that a tracker has decided between, for programs that fit presence to them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cltrack/tracker.h"
#include "tld/presence.h"

namespace cltrack {

// A presence of 0 that the evidence does not explain is that of a place that another target has, or
// of motion that follows somebody else.
struct Hypotheses {
  std::optional<Hypothesis> here;     // where motion led
  std::vector<Hypothesis> elsewhere;  // places that the detector found, and other sizes of `here`
};

// Those of a target on the latest frame that was processed; none without presence (another tracker,
// median flow), or on the frame on which it was added.
Hypotheses hypotheses_of(const Tracker& tracker, std::uint64_t id);

}  // namespace cltrack
