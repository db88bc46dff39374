// SPDX-License-Identifier: LGPL-2.1-or-later
// One frame of a video: the input of a tracker.
#pragma once

#include <cstdint>
#include <stop_token>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"

namespace cltrack {

inline constexpr std::int64_t kNoTimestamp = -1;

struct Frame {
  ImageView luma;  // 0 to 255; must stay valid during process() only
  // The same picture in colour, for the colour tracker; may be empty for others.
  ColorPicture color = {};
  std::int64_t pts = kNoTimestamp;  // presentation time in ns, or kNoTimestamp
  // The frame does not continue the one before (seek, flush, lost packets): motion between them is
  // not used, models of the targets stay valid.
  bool discontinuity = false;
  // After a stop request, from any thread, process() throws Error{interrupted} within about the
  // time that one target takes.
  std::stop_token stop = {};
};

}  // namespace cltrack
