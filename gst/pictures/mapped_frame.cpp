// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/mapped_frame.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "cltrack/error.h"
#include "pictures/frame_layout.h"
#include "pictures/luma.h"

namespace cltrack::gst {
namespace {

constexpr std::int64_t kAlignment = 4;
constexpr std::int64_t kCopyAlignment = 16;
// Behind the last tile of a plane; a row of pixels was seen to exceed it by 985 bytes.
constexpr std::int64_t kBehindTiles = 65536;

bool is_tiled(const GstVideoFrame& frame) {
  return GST_VIDEO_FORMAT_INFO_IS_TILED(frame.info.finfo);
}

bool can_be_packed(const GstVideoFrame& frame) {
  if (is_tiled(frame)) return false;
  for (unsigned plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    if (reinterpret_cast<std::uintptr_t>(frame.data[plane]) % kAlignment != 0 ||
        GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane) % kAlignment != 0) {
      return false;
    }
  }
  return true;
}

std::int64_t copy_stride(const PlaneExtent& extent) {
  return (extent.row_bytes + kCopyAlignment - 1) / kCopyAlignment * kCopyAlignment;
}

std::int64_t copy_size(const GstVideoFrame& frame, const PlaneExtent& extent) {
  return extent.rows * copy_stride(extent) + (is_tiled(frame) ? kBehindTiles : 0);
}

void copy_plane(const GstVideoFrame& from, const GstVideoFrame& to, unsigned plane) {
  const PlaneExtent extent = plane_extent(from.info, plane);
  const auto* in = static_cast<const guint8*>(from.data[plane]);
  auto* out = static_cast<guint8*>(to.data[plane]);
  for (std::int64_t row = 0; row < extent.rows; ++row) {
    std::memcpy(out + row * GST_VIDEO_FRAME_PLANE_STRIDE(&to, plane),
                in + row * GST_VIDEO_FRAME_PLANE_STRIDE(&from, plane),
                static_cast<std::size_t>(extent.row_bytes));
  }
}

}  // namespace

AlignedFrame::AlignedFrame(const GstVideoFrame& frame) : frame_(frame), aligned_(frame) {
  if (can_be_packed(frame)) return;
  std::int64_t size = 0;
  for (unsigned plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    size += copy_size(frame, plane_extent(frame.info, plane));
  }
  storage_.resize(static_cast<std::size_t>(size) / sizeof(storage_[0]));
  auto* next = reinterpret_cast<guint8*>(storage_.data());
  for (unsigned plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    const PlaneExtent extent = plane_extent(frame.info, plane);
    aligned_.data[plane] = next;
    if (!is_tiled(frame)) aligned_.info.stride[plane] = static_cast<gint>(copy_stride(extent));
    copy_plane(frame, aligned_, plane);
    next += copy_size(frame, extent);
  }
}

void AlignedFrame::write_back() {
  if (!is_copy()) return;
  for (unsigned plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame_); ++plane) {
    copy_plane(aligned_, frame_, plane);
  }
}

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

std::size_t MappedFrame::sample() const {
  constexpr std::int64_t kRows = 32;
  const PlaneExtent extent = plane_extent(frame_.info, 0);
  const std::int64_t rows = std::min(extent.rows, kRows);
  const auto* data = static_cast<const char*>(frame_.data[0]);
  std::size_t hash = 0;
  for (std::int64_t i = 0; i < rows; ++i) {
    const std::int64_t row = extent.rows * i / rows;
    const std::string_view bytes(data + row * GST_VIDEO_FRAME_PLANE_STRIDE(&frame_, 0),
                                 static_cast<std::size_t>(extent.row_bytes));
    hash = 31 * hash + std::hash<std::string_view>()(bytes);
  }
  return hash;
}

ColorPicture MappedFrame::color() const { return color_of(frame_, width_, height_); }

}  // namespace cltrack::gst
