// SPDX-License-Identifier: LGPL-2.1-or-later
#include "mapped_frame.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "color_frame.h"
#include "core/error.h"
#include "luma.h"

namespace cltrack::gst {
namespace {

std::string describe(GstVideoFormat format, int width, int height) {
  return std::string(gst_video_format_to_string(format)) + " " + std::to_string(width) + "x" +
         std::to_string(height);
}

std::string describe(const GstVideoInfo& info) {
  return describe(GST_VIDEO_INFO_FORMAT(&info), GST_VIDEO_INFO_WIDTH(&info),
                  GST_VIDEO_INFO_HEIGHT(&info));
}

// GStreamer answers a GstVideoMeta that contradicts the caps with a critical warning, which stops
// programs that run with fatal warnings. So it is looked at first.
void check_meta(GstBuffer* buffer, const GstVideoInfo& info) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (meta == nullptr) return;
  if (meta->format == GST_VIDEO_INFO_FORMAT(&info) &&
      meta->width >= static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)) &&
      meta->height >= static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info))) {
    return;
  }
  throw Error(
      ErrorCode::failed,
      "The GstVideoMeta of a buffer says " +
          describe(meta->format, static_cast<int>(meta->width), static_cast<int>(meta->height)) +
          ", but the caps say " + describe(info) + ": the element before is at fault");
}

// Whether the first `width` x `height` pixels of component `c` lie inside the mapped memory. Nobody
// else compares the strides and offsets of a GstVideoMeta with the size of the memory.
bool lies_inside_map(const GstVideoFrame& frame, unsigned c, int width, int height) {
  const GstMapInfo& map = frame.map[GST_VIDEO_FRAME_COMP_PLANE(&frame, c)];
  // Planes of one memory share the first map, and a map function of another allocator may leave
  // this empty.
  const GstMapInfo& memory = map.data != nullptr ? map : frame.map[0];
  if (memory.data == nullptr) return true;
  const auto* first = static_cast<const guint8*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c));
  const auto sub_width =
      GST_VIDEO_FORMAT_INFO_SCALE_WIDTH(frame.info.finfo, c, static_cast<std::ptrdiff_t>(width));
  const auto sub_height =
      GST_VIDEO_FORMAT_INFO_SCALE_HEIGHT(frame.info.finfo, c, static_cast<std::ptrdiff_t>(height));
  const std::ptrdiff_t start = first - memory.data;
  const std::ptrdiff_t last_row =
      start + (sub_height - 1) * std::ptrdiff_t{GST_VIDEO_FRAME_COMP_STRIDE(&frame, c)};
  const std::ptrdiff_t last_pixel =
      (sub_width - 1) * std::ptrdiff_t{GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c)};
  return std::min(start, last_row) >= 0 &&
         std::max(start, last_row) + last_pixel < static_cast<std::ptrdiff_t>(memory.size);
}

}  // namespace

MappedFrame::MappedFrame(GstBuffer* buffer, const GstVideoInfo& info, MapMode mode)
    : width_(GST_VIDEO_INFO_WIDTH(&info)), height_(GST_VIDEO_INFO_HEIGHT(&info)) {
  check_meta(buffer, info);
  const GstMapFlags flags = mode == MapMode::read ? GST_MAP_READ : GST_MAP_READWRITE;
  if (!gst_video_frame_map(&frame_, &info, buffer, flags)) {
    throw Error(ErrorCode::failed, "A buffer of " + std::to_string(gst_buffer_get_size(buffer)) +
                                       " bytes cannot be mapped as a picture of " + describe(info) +
                                       " (" + std::to_string(GST_VIDEO_INFO_SIZE(&info)) +
                                       " bytes)");
  }
  for (unsigned c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame_); ++c) {
    // The strides of tiled formats count tiles.
    if (GST_VIDEO_FORMAT_INFO_IS_TILED(frame_.info.finfo)) break;
    if (lies_inside_map(frame_, c, width_, height_)) continue;
    gst_video_frame_unmap(&frame_);
    throw Error(ErrorCode::failed,
                "The strides and offsets in the GstVideoMeta of a buffer reach "
                "beyond its memory: the element before is at fault");
  }
}

MappedFrame::~MappedFrame() { gst_video_frame_unmap(&frame_); }

ImageView MappedFrame::luma(Image& scratch) const {
  return luma_of(frame_, width_, height_, scratch);
}

ColorPicture MappedFrame::color() const { return color_of(frame_, width_, height_); }

}  // namespace cltrack::gst
