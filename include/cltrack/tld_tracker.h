// SPDX-License-Identifier: LGPL-2.1-or-later
// TLD as a Tracker: median flow follows each target, a cascade of variance filter, fern ensemble
// and nearest neighbours finds it again anywhere in the frame, and what both agree on is learnt.
#pragma once

#include <memory>

#include "cltrack/tld_config.h"
#include "cltrack/tld_devices.h"
#include "cltrack/tracker.h"

namespace cltrack {

// Any number of targets; work that depends on the frame alone is done once for all of them.
// Deterministic: the same config (but for `threads`), targets and frames give the same tracks.
// Throws Error{invalid_argument} if the config is not valid, and what TldDevices throws.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid or `devices` is null.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config,
                                                      std::shared_ptr<TldDevices> devices);

}  // namespace cltrack
