// SPDX-License-Identifier: LGPL-2.1-or-later
// Maps buffers for reading and writing, and a picture that GStreamer can pack pixels into.
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <vector>

#include "cltrack/color_picture.h"
#include "cltrack/image_view.h"

namespace cltrack::gst {

// A picture that GStreamer can pack pixels into.
//
// The functions that it has for that store up to four bytes at a time, and crash where such a store
// is not aligned: a buffer that begins at an odd address, or rows of 257 bytes. They write behind
// the last tile where tiles exceed the picture (NV12_10BE_8L128, 89x84).
class AlignedFrame {
 public:
  // `frame` stays mapped for as long as this object lives, and its planes lie in its memory.
  explicit AlignedFrame(const GstVideoFrame& frame);

  // `frame` itself where it has no tiles and its rows are aligned, else a copy of its pixels.
  GstVideoFrame& get() { return aligned_; }
  bool is_copy() const { return !storage_.empty(); }

  // Brings the pixels of a copy back into the frame.
  void write_back();

 private:
  const GstVideoFrame& frame_;
  GstVideoFrame aligned_;
  std::vector<std::uint64_t> storage_;
};

// A video buffer mapped for as long as this object lives: the only place that maps pictures.
//
// Strides and offsets are those of GstVideoMeta where the buffer has one, the size is that of the
// caps. What the GstVideoMeta says must lie in the memory, all of it. A read map leaves a
// picture that is shared with other branches of the pipeline alone; a read_write map of such a
// picture works on a copy of its own. GstVideoCropMeta is not looked at: the whole picture is seen.

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

  // Equal for equal pictures: a hash of 32 rows of the first plane.
  std::size_t sample() const;

  // The frame has the size of the caps.
  GstVideoFrame* video_frame() { return &frame_; }

 private:
  GstVideoFrame frame_{};  // zeroed: which maps are in use depends on the metadata of the buffer
  int width_;
  int height_;
};

}  // namespace cltrack::gst
