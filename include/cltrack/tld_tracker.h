// SPDX-License-Identifier: LGPL-2.1-or-later
// TLD as a Tracker: a correlation filter or median flow tracks each target, a cascade of variance
// filter, fern ensemble and nearest neighbour detects it anywhere in the frame, and P-N learning
// updates the detector.
#pragma once

#include <memory>

#include "cltrack/tld_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// Opens the devices for trackers with this config, as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const TldConfig& config);

// Seeds are boxes. On the frame on which a target is added or moved, its box is the given one, and
// a moved target is not learnt from; on later frames it is tracked, detected and learnt as usual.
// Work that depends on the frame only is shared by all targets.
// Deterministic: the same config (except `threads`), targets and frames give the same tracks.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config = {});

// The same on devices that are open already; config.placement is ignored.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config,
                                                      std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
