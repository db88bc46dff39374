// SPDX-License-Identifier: LGPL-2.1-or-later
// A video buffer mapped for as long as this object lives: the only place that maps pictures.
//
// Strides and offsets are those of GstVideoMeta where the buffer has one, the size is that of the
// caps. What the GstVideoMeta says must lie in the memory, all of it. A read map leaves a
// picture that is shared with other branches of the pipeline alone; a read_write map of such a
// picture works on a copy of its own. GstVideoCropMeta is not looked at: the whole picture is seen.
#pragma once

#include <gst/video/video.h>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"

namespace cltrack::gst {

enum class MapMode { read, read_write };

class MappedFrame {
 public:
  // `info` is that of the caps. The map holds a reference to the buffer, so metadata can be added
  // only after this object is gone. Throws Error{failed} if the buffer cannot be mapped, or does
  // not hold the picture that `info` or its GstVideoMeta says.
  MappedFrame(GstBuffer* buffer, const GstVideoInfo& info, MapMode mode);
  ~MappedFrame();
  MappedFrame(const MappedFrame&) = delete;
  MappedFrame& operator=(const MappedFrame&) = delete;

  // Brightness, of the size of the caps; see luma_of().
  ImageView luma(Image& scratch) const;
  // Colours, of the size of the caps; see color_of().
  ColorPicture color() const;

  // Of the size of the caps.
  GstVideoFrame* video_frame() { return &frame_; }

 private:
  GstVideoFrame frame_{};  // zeroed: which maps are in use depends on the metadata of the buffer
  int width_;
  int height_;
};

}  // namespace cltrack::gst
