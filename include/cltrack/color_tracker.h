// SPDX-License-Identifier: LGPL-2.1-or-later
// MOCT: follows objects that are known by their colour, all of them in one pass over the picture
// (Vasconcelos et al., BMVC 2008). Frames need Frame::color.
#pragma once

#include <memory>
#include <string_view>

#include "cltrack/color_config.h"
#include "cltrack/color_model.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// add() learns the colour of what is in the box, see ColorModel::learn(); if that fails, the target
// stays lost, and take_warnings() says why. The smallest box is that of other trackers. Where
// several objects claim a colour, the one that was added first gets it. With ColorConfig::blobs
// over 1 a colour has several tracks, the first one with the id that was returned; remove() takes
// that id. set_learning() changes nothing. Trails begin anew when a colour is added or removed,
// when frames change their size, and behind a discontinuity. Throws Error{invalid_argument} on more
// than 255 objects.
class CLTRACK_API ColorTracker : public Tracker {
 public:
  virtual std::uint64_t add_color(const ColorModel& model, std::string_view label = {}) = 0;
};

// The devices of trackers with that config, opened as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const ColorConfig& config);

// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<ColorTracker> make_color_tracker(const ColorConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<ColorTracker> make_color_tracker(
    const ColorConfig& config, std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
