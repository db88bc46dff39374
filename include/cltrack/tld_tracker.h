// SPDX-License-Identifier: LGPL-2.1-or-later
// TLD as a Tracker: median flow follows each target, a cascade of variance filter, fern ensemble
// and nearest neighbours finds it again anywhere in the frame, and what both agree on is learnt.
#pragma once

#include <memory>

#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// The devices of trackers with that config, opened as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const TldConfig& config);

// Seeds of its targets are boxes. On the frame on which a target is added or moved the box is taken
// as it is given, and nothing is learnt of a moved one; from there on it is followed, found and
// learnt as ever. Any number of targets; work that depends on the frame alone is done once for all
// of them.
// Deterministic: the same config (but for `threads`), targets and frames give the same tracks.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config,
                                                      std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
