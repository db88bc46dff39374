// SPDX-License-Identifier: LGPL-2.1-or-later
// Which raw video formats can be tracked, and whether a buffer has the layout that it claims.
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <string>
#include <utility>

namespace cltrack::gst {

// Which raw video formats have brightness that a tracker can use as it stands, or that takes no
// more than a weighted sum: 8 bits per component, with luma or with red, green and blue.

// True for planar, semi-planar and packed YUV, grey and RGB of 8 bits per component whose luma (or
// red, green and blue) is addressed by one pixel stride; false for tiles, palettes, more bits.
bool is_supported(const GstVideoFormatInfo* format);

// Raw video in system memory of every format of this GStreamer that `accepts`. The caller owns the
// caps.
GstCaps* make_caps_of(bool (*accepts)(const GstVideoFormatInfo* format));

// The same of every supported format.
GstCaps* make_supported_caps();

// Takes the caps, and returns them with NV12 in CUDA memory, as NVIDIA's decoders leave it. The
// caller owns what is returned.
GstCaps* with_cuda_memory(GstCaps* caps);

// Width and height of pictures of any kind, as caps have them; 0 where they do not.
std::pair<int, int> picture_size(const GstCaps* caps);

// Which bytes the planes of a picture take, and whether its memory has them. GStreamer trusts the
// sizes, strides and offsets in the GstVideoMeta of a buffer, and reads and writes wherever they
// lead to.

// `rows` pieces of `row_bytes` bytes, one stride from each other. Tiles are one piece.
struct PlaneExtent {
  std::int64_t row_bytes = 0;
  std::int64_t rows = 0;
};

// The extent by the width, height, format and, for tiles, strides of `info`. Padding does not
// count.
PlaneExtent plane_extent(const GstVideoInfo& info, unsigned plane);

// "NV12 1920x1080"; `format` is of GstVideoFormat, or any other number.
std::string describe_picture(int format, unsigned width, unsigned height);

// The contradiction to the caps in the GstVideoMeta of `buffer`; empty if there is none, or no such
// metadata. To be called before a picture is mapped, which logs a critical warning for such
// metadata.
std::string meta_problem(GstBuffer* buffer, const GstVideoInfo& info);

// Which plane of a mapped picture does not lie in the memory that was mapped for it, or has rows
// that overlap; empty if all is well.
std::string layout_problem(const GstVideoFrame& frame);

}  // namespace cltrack::gst
