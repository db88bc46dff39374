// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by template matching: what a target looks like at first is looked for in each frame.
#pragma once

#include <memory>
#include <string_view>

#include "cltrack/image_view.h"
#include "cltrack/template_config.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"

namespace cltrack {

// add() takes what the box shows as template. If that is flat, or lies too far outside, the target
// stays lost, and take_warnings() says why.
class CLTRACK_API TemplateTracker : public Tracker {
 public:
  // A target that looks like this picture, wherever it is; lost until it is found. Copies the
  // pixels. Throws Error{invalid_argument} if a side is under kMinimumBoxSide or the picture is
  // flat. If it is larger than the next frame, it stays lost, and take_warnings() says why.
  virtual std::uint64_t add_template(const ImageView& picture, std::string_view label = {}) = 0;
};

// Throws Error{invalid_argument}, which names both sizes, if a template of that size is larger than
// a frame, or has a side under kMinimumBoxSide.
CLTRACK_API void check_template_size(int width, int height, int frame_width, int frame_height);

// The devices of trackers with that config, opened as config.placement says.
// Throws Error{invalid_argument} if the config is not valid, and what TrackerDevices throws.
CLTRACK_API std::shared_ptr<TrackerDevices> open_devices(const TemplateConfig& config);

// Deterministic: the same for any number of threads and any device.
// Throws Error{invalid_argument} if the config is not valid, and what open_devices() throws.
CLTRACK_API std::unique_ptr<TemplateTracker> make_template_tracker(
    const TemplateConfig& config = {});

// The same on devices that are open already. They say where stages run, config.placement does not.
// Throws Error{invalid_argument} if the config is not valid, or `devices` is null or those of
// another kind of tracker.
CLTRACK_API std::unique_ptr<TemplateTracker> make_template_tracker(
    const TemplateConfig& config, std::shared_ptr<TrackerDevices> devices);

}  // namespace cltrack
