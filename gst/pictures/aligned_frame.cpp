// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/aligned_frame.h"

#include <cstddef>
#include <cstring>

#include "pictures/frame_layout.h"

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

}  // namespace cltrack::gst
