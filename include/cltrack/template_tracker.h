// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by template matching: each frame is searched for the target's first appearance.
#pragma once

#include <memory>

#include "cltrack/template_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// Throws Error{invalid_argument}, which names both sizes, if a template of that size is larger than
// a frame, or has a side under kMinimumBoxSide.
CLTRACK_API void check_template_size(int width, int height, int frame_width, int frame_height);

// Opens the devices for trackers with this config, as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const TemplateConfig& config);

// Seeds are boxes and pictures. The content of a box becomes the template; if it is flat, or too
// far outside, the target stays lost, and take_warnings() says why. A picture is searched for in
// the whole frame, and is lost until found; if it is larger than the next frame, it stays lost, and
// take_warnings() says why. add() throws Error{invalid_argument} if a side of a picture is under
// kMinimumBoxSide, or the picture is flat.
// A template keeps its aspect ratio: move() uses the centre of the box and its area, within
// TemplateConfig::largest_change. With TemplateSearch::frame it throws Error{invalid_argument},
// because the best match in the frame is always the target.
// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config = {});

// The same on devices that are open already; config.placement is ignored.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config,
                                                           std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
