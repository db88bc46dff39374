// SPDX-License-Identifier: LGPL-2.1-or-later
// What a PNG or JPEG file says of itself, before anything takes memory to decode it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>

namespace cltrack::gst {

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

}  // namespace cltrack::gst
