// SPDX-License-Identifier: LGPL-2.1-or-later
// Reads a template from a PNG or JPEG file.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>

#include "cltrack/image_view.h"

namespace cltrack::gst {

// What a PNG or JPEG file says of itself, before anything takes memory to decode it.

// A picture that ends further behind counts as one without an end: a file can be made that would
// be read for hours.
inline constexpr std::uint64_t kMaxPictureBytes = std::uint64_t{1} << 30;

struct PictureHeader {
  std::uint32_t width = 0;   // pixels; 0 if the file ends before it says so
  std::uint32_t height = 0;  // pixels
  bool complete = false;     // the mark that ends the picture (IEND, EOI) is there
};

// Reads `file` from where it is, in the formats' own steps: a thumbnail inside of it, or what
// follows the picture, does not count. Nothing if it is neither PNG nor JPEG. Whether what lies
// between is intact is for the decoder to say.
std::optional<PictureHeader> read_picture_header(std::FILE* file);

// A template from a picture file, decoded by GStreamer's own elements.

// The brightness of the picture in a file of any format that this GStreamer decodes; of a video its
// first frame. Blocks until it is decoded, 10 seconds at most.
// Throws Error{invalid_argument} that names the file if it is not a regular file, cannot be read,
// is no picture, or has more than 8192x8192 pixels; the latter before their memory is taken where
// the format is PNG or JPEG, or its decoder says the size first. Of these two formats, a file that
// ends before the picture does is refused as well. What is broken within is for the decoder to
// find: that of JPEG is content with much.
Image load_template(const std::string& path);

}  // namespace cltrack::gst
