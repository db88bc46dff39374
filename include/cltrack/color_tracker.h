// SPDX-License-Identifier: LGPL-2.1-or-later
// MOCT: tracks objects by their colour, all of them in one pass over the picture (Vasconcelos et
// al., BMVC 2008). Frames need Frame::color.
#pragma once

#include <memory>

#include "cltrack/color_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// Opens the devices for trackers with this config, as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const ColorConfig& config);

// Seeds are boxes and ColorModels. From a box the colour is learnt, see ColorModel::learn(); if
// that fails, the object stays lost, and take_warnings() says why. Boxes have the same smallest
// size as for other trackers. If the colours of several objects overlap, the object that was added
// first gets the pixels. With ColorConfig::blobs over 1 a colour has several tracks; the first one
// has the id that add() returned, which move() and remove() take. move() gives the first track the
// blob whose centroid is nearest to the centre of the box, even if another track had it; with blobs
// = 0, one object per colour, it throws Error{invalid_argument}. set_learning() has no effect.
// Trails restart when a colour is added, moved or removed, when the frame size changes, and after a
// discontinuity. add() throws Error{invalid_argument} on more than 255 objects.
// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config = {});

// The same on devices that are open already; config.placement is ignored.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config,
                                                        std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
