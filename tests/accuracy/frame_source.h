// SPDX-License-Identifier: LGPL-2.1-or-later
// The pictures of a sequence, decoded by GStreamer. Luma is the plane of the decoded YUV or grey
// frame as it stands, which is what the element sees; BGR is made of it on request.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cltrack/frame.h"
#include "dataset.h"

namespace cltrack::accuracy {

// Whether GStreamer knows the element.
bool element_exists(const std::string& name);

// One decoded picture in system memory, mapped for reading as long as this lives.
class VideoFrame {
 public:
  // Takes a copy of the sample's picture in GStreamer's default layout for its caps, so that no
  // buffer of a decoder's pool is held, and changes it: see change_picture(). Throws Error{failed}
  // if it cannot be mapped.
  explicit VideoFrame(GstSample* sample, const Variant& variant = {}, std::uint64_t index = 0);
  ~VideoFrame();
  VideoFrame(const VideoFrame&) = delete;
  VideoFrame& operator=(const VideoFrame&) = delete;

  Frame frame() const;  // luma and time; valid as long as this lives
  int width() const { return GST_VIDEO_FRAME_WIDTH(&mapped_); }
  int height() const { return GST_VIDEO_FRAME_HEIGHT(&mapped_); }
  std::size_t bytes() const { return GST_VIDEO_FRAME_SIZE(&mapped_); }
  const GstVideoInfo& info() const { return mapped_.info; }
  const GstVideoFrame& mapped() const { return mapped_; }
  GstBuffer* buffer() const { return mapped_.buffer; }

 private:
  GstVideoFrame mapped_;
};

// What frames are scaled to, in pixels; 0: they stay as they are.
struct FrameSize {
  int width = 0;
  int height = 0;
};

// Decodes a sequence from its first frame to its last, in its variant.
class FrameReader {
 public:
  // Throws Error{failed} if no pipeline can be made of the file: what GStreamer says, and the file.
  explicit FrameReader(const Sequence& sequence, FrameSize size = {});
  ~FrameReader();

  // The next frame, or null after the last one. Throws Error{failed} if decoding stops, or a frame
  // has another size than the first.
  std::shared_ptr<const VideoFrame> next();

 private:
  struct Pipeline;
  std::unique_ptr<Pipeline> pipeline_;
};

// All frames of a sequence, decoded once and kept in memory where they fit, so that decoding is
// never timed and several runs share them. Safe to read from several threads.
class Footage {
 public:
  static constexpr std::size_t kMemoryLimit = std::size_t{1} << 30;

  // Decodes at most `max_frames` frames (0 for all). More than `memory_limit` bytes of them are not
  // kept: each cursor then decodes the sequence again.
  Footage(const Sequence& sequence, std::size_t max_frames, std::size_t memory_limit = kMemoryLimit,
          FrameSize size = {});

  std::size_t size() const { return size_; }  // frames
  bool in_memory() const { return !frames_.empty() || size_ == 0; }
  const std::vector<std::shared_ptr<const VideoFrame>>& frames() const { return frames_; }

 private:
  friend class FrameCursor;
  Sequence sequence_;
  FrameSize scaled_to_;
  std::size_t size_ = 0;
  std::vector<std::shared_ptr<const VideoFrame>> frames_;
};

// One walk over a Footage, which must live longer.
class FrameCursor {
 public:
  explicit FrameCursor(const Footage& footage) : footage_(footage) {}

  // The next frame, or null after the last one.
  std::shared_ptr<const VideoFrame> next();

 private:
  const Footage& footage_;
  std::size_t index_ = 0;
  std::optional<FrameReader> reader_;
};

// A packed picture of three bytes a pixel, as OpenCV takes it.
struct BgrImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // rows are width * 3 bytes
};

// Makes BGR of frames that all have the same caps.
class BgrConverter {
 public:
  void convert(const VideoFrame& frame, BgrImage& out);

 private:
  struct Free {
    void operator()(GstVideoConverter* converter) const { gst_video_converter_free(converter); }
  };
  std::unique_ptr<GstVideoConverter, Free> converter_;
};

}  // namespace cltrack::accuracy
