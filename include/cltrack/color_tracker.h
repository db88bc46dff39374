// SPDX-License-Identifier: LGPL-2.1-or-later
// MOCT: follows objects that are known by their colour, all of them in one pass over the picture
// (Vasconcelos et al., BMVC 2008). Frames need Frame::color.
#pragma once

#include <memory>

#include "cltrack/color_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// The devices of trackers with that config, opened as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const ColorConfig& config);

// Seeds of its objects are boxes and ColorModels. The colour of what is in a box is learnt, see
// ColorModel::learn(); if that fails, the object stays lost, and take_warnings() says why. The
// smallest box is that of other trackers. Where several objects claim a colour, the one that was
// added first gets it. With ColorConfig::blobs over 1 a colour has several tracks, the first one
// with the id that add() returned; move() and remove() take that id. move() gives the first track
// the blob whose centroid is nearest to the centre of the box, whichever track had it before; with
// blobs = 0, where all of a colour is one object, it throws Error{invalid_argument}. set_learning()
// changes nothing. Trails begin anew when a colour is added, moved or removed, when frames change
// their size, and behind a discontinuity. add() throws Error{invalid_argument} on more than 255
// objects.
// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_color_tracker(const ColorConfig& config,
                                                        std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
