// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by template matching: what a target looks like at first is looked for in each frame.
#pragma once

#include <memory>

#include "cltrack/template_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// Throws Error{invalid_argument}, which names both sizes, if a template of that size is larger than
// a frame, or has a side under kMinimumBoxSide.
CLTRACK_API void check_template_size(int width, int height, int frame_width, int frame_height);

// The devices of trackers with that config, opened as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const TemplateConfig& config);

// Seeds of its targets are boxes and pictures. What a box shows is the template; if that is flat,
// or lies too far outside, the target stays lost, and take_warnings() says why. What looks like a
// picture is looked for in the whole frame, and lost until it is found; if the picture is larger
// than the next frame, it stays lost, and take_warnings() says why. add() throws
// Error{invalid_argument} if a side of a picture is under kMinimumBoxSide, or the picture is flat.
// A template keeps its shape: move() takes the centre of the box and its area, as far as
// TemplateConfig::largest_change allows. With TemplateSearch::frame it throws
// Error{invalid_argument}: the best place of the whole frame is the target's.
// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config,
                                                           std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
