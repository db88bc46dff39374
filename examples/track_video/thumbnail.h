// SPDX-License-Identifier: LGPL-2.1-or-later
// A small picture of a video frame.
#pragma once

#include <gst/video/video.h>

#include "moments.h"

namespace track_video {

// As large as fits into width x height, with square pixels; never larger than the frame. Throws
// std::runtime_error if the frame cannot be read or there is no memory.
Picture thumbnail(GstBuffer* buffer, const GstVideoInfo& video, int width, int height);

}  // namespace track_video
