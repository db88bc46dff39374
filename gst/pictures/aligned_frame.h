// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture that GStreamer can pack pixels into.
//
// The functions that it has for that store up to four bytes at a time, and crash where such a store
// is not aligned: a buffer that begins at an odd address, or rows of 257 bytes. They write behind
// the last tile where tiles exceed the picture (NV12_10BE_8L128, 89x84).
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <vector>

namespace cltrack::gst {

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

}  // namespace cltrack::gst
