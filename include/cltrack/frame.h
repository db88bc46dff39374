// SPDX-License-Identifier: LGPL-2.1-or-later
// One picture of a video, as a tracker takes it.
#pragma once

#include <cstdint>
#include <stop_token>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"

namespace cltrack {

inline constexpr std::int64_t kNoTimestamp = -1;

struct Frame {
  ImageView luma;  // brightness, 0 to 255; must stay valid during process() only
  // The same picture in colour, for trackers that look at it; may be empty for others.
  ColorPicture color = {};
  std::int64_t pts = kNoTimestamp;  // presentation time in ns, or kNoTimestamp
  // The picture does not follow on from the one before (seek, flush, lost packets): motion since
  // the last frame is not to be trusted, what was learnt about the targets is.
  bool discontinuity = false;
  // Once a stop is requested, from any thread, process() ends within about the time of one target,
  // by Error{interrupted}; see there.
  std::stop_token stop = {};
};

}  // namespace cltrack
