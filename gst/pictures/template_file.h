// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads a template from a picture file, with GStreamer's own decoders.
#pragma once

#include <string>

#include "cltrack/image_view.h"

namespace cltrack::gst {

// The brightness of the picture in a file of any format that this GStreamer decodes; of a video its
// first frame. Blocks until it is decoded, 10 seconds at most.
// Throws Error{invalid_argument} that names the file if it is not a regular file, cannot be read,
// is no picture, or has more than 8192x8192 pixels; the latter before their memory is taken where
// the format is PNG or JPEG, or its decoder says the size first. Of these two formats, a file that
// ends before the picture does is refused as well. What is broken within is for the decoder to
// find: that of JPEG is content with much.
Image load_template(const std::string& path);

}  // namespace cltrack::gst
