// SPDX-License-Identifier: LGPL-2.1-or-later
// A target as it is written on the command line: X,Y,W,H or X,Y,W,H,LABEL.
#pragma once

#include <string>
#include <string_view>

#include "cltrack/bounding_box.h"

namespace track_video {

struct Target {
  cltrack::BoundingBox box;  // pixels
  std::string label;         // may be empty
};

// Throws std::runtime_error that names `text` and what is allowed, if it is no box or an empty one,
// or its label is not UTF-8. Whether the box lies inside the video is not known here.
Target parse_target(std::string_view text);

// "10,20,30.5,40"
std::string to_string(const cltrack::BoundingBox& box);

}  // namespace track_video
