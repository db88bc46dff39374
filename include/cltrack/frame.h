// SPDX-License-Identifier: LGPL-2.1-or-later
// One frame of a video: the input of a tracker.
#pragma once

#include <cstdint>
#include <stop_token>

#include "cltrack/color_picture.h"
#include "cltrack/device_picture.h"
#include "cltrack/image_view.h"

namespace cltrack {

inline constexpr std::int64_t kNoTimestamp = -1;

// How much work there is time for on a frame.
enum class Effort {
  full,
  // TLD: the detector looks near the targets alone. Template matching: no search of whole frames
  // for a target that has been lost; it is looked for around its last place.
  near,
  // TLD: motion alone, no detector: neither for nor against a target does it count that nothing was
  // detected, and neither ferns nor object model learn. Template matching: as `near`.
  motion,
};

struct Frame {
  ImageView luma;  // 0 to 255; must stay valid during process() only
  // The same picture in colour, for the colour tracker; may be empty for others.
  ColorPicture color = {};
  // The picture in a device's memory instead, with `luma` and `color` empty. The first component is
  // the luma, as a plane (a step of 1, not subsampled); the colour tracker takes red, green and
  // blue as well.
  DevicePicture on_device = {};
  // Presentation time in ns, or kNoTimestamp. After a longer time than is usual between two frames,
  // TLD looks for targets further away.
  std::int64_t pts = kNoTimestamp;
  // The frame does not continue the one before (seek, flush, lost packets): motion between them is
  // not used, models of the targets stay valid.
  bool discontinuity = false;
  // Less than full is a wish: the first frame of a target, and frames that do not follow on from
  // another one, are looked at in full. The colour tracker, and template matching that always
  // searches whole frames, know full work alone.
  Effort effort = Effort::full;
  // Others, a detector for instance, find again what is lost: targets are looked for as with
  // Effort::near, however much time there is.
  bool near_only = false;
  // After a stop request, from any thread, process() throws Error{interrupted} within about the
  // time that one target takes.
  std::stop_token stop = {};
};

}  // namespace cltrack
