// SPDX-License-Identifier: LGPL-2.1-or-later
// A template from a picture file, decoded by GStreamer's own elements.
#pragma once

#include <string>

#include "core/image_view.h"

namespace cltrack::gst {

// The brightness of the picture in a file of any format that this GStreamer decodes; of a video its
// first frame. Blocks until it is decoded, 10 seconds at most.
// Throws Error{invalid_argument} that names the file if it cannot be read or is no picture.
Image load_template(const std::string& path);

}  // namespace cltrack::gst
