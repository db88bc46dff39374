// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/mapped_frame.h"

#include <string>

#include "cltrack/error.h"
#include "pictures/color_frame.h"
#include "pictures/frame_layout.h"
#include "pictures/luma.h"

namespace cltrack::gst {
namespace {

// The offsets of a GstVideoMeta, which may be why a buffer cannot be mapped: " at 0, 1024".
std::string describe_offsets(GstBuffer* buffer) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (meta == nullptr) return "";
  std::string text;
  for (guint plane = 0; plane < meta->n_planes; ++plane) {
    text += (text.empty() ? ", with planes at " : ", ") + std::to_string(meta->offset[plane]);
  }
  return text;
}

}  // namespace

MappedFrame::MappedFrame(GstBuffer* buffer, const GstVideoInfo& info, MapMode mode)
    : width_(GST_VIDEO_INFO_WIDTH(&info)), height_(GST_VIDEO_INFO_HEIGHT(&info)) {
  if (const std::string problem = meta_problem(buffer, info); !problem.empty()) {
    throw Error(ErrorCode::failed, problem);
  }
  const GstMapFlags flags = mode == MapMode::read ? GST_MAP_READ : GST_MAP_READWRITE;
  if (!gst_video_frame_map(&frame_, &info, buffer, flags)) {
    throw Error(ErrorCode::failed,
                "A buffer of " + std::to_string(gst_buffer_get_size(buffer)) +
                    " bytes cannot be mapped as a picture of " +
                    describe_picture(GST_VIDEO_INFO_FORMAT(&info), static_cast<unsigned>(width_),
                                     static_cast<unsigned>(height_)) +
                    " (" + std::to_string(GST_VIDEO_INFO_SIZE(&info)) + " bytes)" +
                    describe_offsets(buffer));
  }
  if (const std::string problem = layout_problem(frame_); !problem.empty()) {
    gst_video_frame_unmap(&frame_);
    throw Error(ErrorCode::failed, problem);
  }
  // A GstVideoMeta may say more, which is not shown.
  frame_.info.width = width_;
  frame_.info.height = height_;
}

MappedFrame::~MappedFrame() { gst_video_frame_unmap(&frame_); }

ImageView MappedFrame::luma(Image& scratch) const {
  return luma_of(frame_, width_, height_, scratch);
}

ColorPicture MappedFrame::color() const { return color_of(frame_, width_, height_); }

}  // namespace cltrack::gst
