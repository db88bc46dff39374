// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in any raw format for tests of elements: made from plain pixels, and read back as such.
#pragma once

#include <gst/video/video.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "gst_ptr.h"

namespace cltrack::test {

inline GstVideoInfo video_info(GstVideoFormat format, int width, int height) {
  GstVideoInfo info;
  gst_video_info_init(&info);
  EXPECT_TRUE(gst_video_info_set_format(&info, format, static_cast<guint>(width),
                                        static_cast<guint>(height)));
  GST_VIDEO_INFO_FPS_N(&info) = 25;
  GST_VIDEO_INFO_FPS_D(&info) = 1;
  return info;
}

// Every row of pixels, 16 bits each: A, then R, G, B or Y, U, V.
using Pixel = std::array<int, 4>;

class Pixels {
 public:
  Pixels(int width, int height)
      : width_(width),
        pixels_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}
  Pixel& at(int x, int y) { return pixels_[index(x, y)]; }
  const Pixel& at(int x, int y) const { return pixels_[index(x, y)]; }
  int width() const { return width_; }
  int height() const { return static_cast<int>(pixels_.size()) / width_; }

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }
  int width_;
  std::vector<Pixel> pixels_;
};

class FrameMap {
 public:
  FrameMap(GstBuffer* buffer, const GstVideoInfo& info, int flags) {
    mapped_ = gst_video_frame_map(&frame_, &info, buffer, static_cast<GstMapFlags>(flags));
    EXPECT_TRUE(mapped_);
  }
  ~FrameMap() {
    if (mapped_) gst_video_frame_unmap(&frame_);
  }
  FrameMap(const FrameMap&) = delete;
  FrameMap& operator=(const FrameMap&) = delete;
  GstVideoFrame* get() { return &frame_; }

 private:
  GstVideoFrame frame_{};
  bool mapped_ = false;
};

inline bool has_wide_pixels(const GstVideoInfo& info) {
  const GstVideoFormatInfo* unpacked = gst_video_format_get_info(info.finfo->unpack_format);
  return GST_VIDEO_FORMAT_INFO_DEPTH(unpacked, 0) > 8;
}

// Values from 0 to 65535 whatever the format; components of 8 bits are repeated in both bytes.
inline Pixels read_pixels(GstBuffer* buffer, const GstVideoInfo& info) {
  FrameMap map(buffer, info, GST_MAP_READ);
  const bool wide = has_wide_pixels(info);
  Pixels pixels(info.width, info.height);
  std::vector<std::uint16_t> line(static_cast<std::size_t>(info.width + 64) * 4);
  for (int y = 0; y < info.height; ++y) {
    info.finfo->unpack_func(info.finfo, GST_VIDEO_PACK_FLAG_NONE, line.data(), map.get()->data,
                            map.get()->info.stride, 0, y, info.width);
    const auto* narrow = reinterpret_cast<const std::uint8_t*>(line.data());
    for (int x = 0; x < info.width; ++x) {
      for (std::size_t c = 0; c < 4; ++c) {
        const std::size_t at = static_cast<std::size_t>(x) * 4 + c;
        pixels.at(x, y)[c] = wide ? line[at] : narrow[at] * 257;
      }
    }
  }
  return pixels;
}

// `value_at(x, y, component)` from 0 to 255.
inline void write_pixels(GstBuffer* buffer, const GstVideoInfo& info,
                         const std::function<int(int, int, int)>& value_at) {
  FrameMap map(buffer, info, GST_MAP_READWRITE);
  const bool wide = has_wide_pixels(info);
  std::vector<std::uint16_t> line(static_cast<std::size_t>(info.width + 64) * 4);
  auto* narrow = reinterpret_cast<std::uint8_t*>(line.data());
  for (int y = 0; y < info.height; ++y) {
    for (int x = 0; x < info.width; ++x) {
      for (int c = 0; c < 4; ++c) {
        const std::size_t at = static_cast<std::size_t>(x) * 4 + static_cast<std::size_t>(c);
        const int value = value_at(x, y, c);
        if (wide) {
          line[at] = static_cast<std::uint16_t>(value * 257);
        } else {
          narrow[at] = static_cast<std::uint8_t>(value);
        }
      }
    }
    info.finfo->pack_func(info.finfo, GST_VIDEO_PACK_FLAG_NONE, line.data(), 0, map.get()->data,
                          map.get()->info.stride, map.get()->info.chroma_site, y, info.width);
  }
}

// A dark texture, opaque and not quite grey, so that light marks stand out from it.
inline int dark_texture(int x, int y, int component) {
  if (component == 0) return 255;
  if (component == 1) return 20 + (x * 7 + y * 13) % 50;
  return 110 + (x / 8 + y / 8 + component) % 20;
}

// `padding`: bytes of rows and lines that do not belong to the picture, as decoders leave them; the
// buffer then has a GstVideoMeta.
inline BufferPtr make_picture(const GstVideoInfo& info, int padding = 0,
                              const std::function<int(int, int, int)>& value_at = dark_texture) {
  GstVideoInfo padded = info;
  if (padding > 0) {
    GstVideoAlignment alignment;
    gst_video_alignment_reset(&alignment);
    alignment.padding_left = static_cast<guint>(padding);
    alignment.padding_right = static_cast<guint>(padding);
    alignment.padding_top = 4;
    alignment.padding_bottom = 4;
    EXPECT_TRUE(gst_video_info_align(&padded, &alignment));
  }
  GstBuffer* buffer = gst_buffer_new_allocate(nullptr, padded.size, nullptr);
  gst_buffer_memset(buffer, 0, 0x5a, padded.size);
  if (padding > 0) {
    gst_buffer_add_video_meta_full(buffer, GST_VIDEO_FRAME_FLAG_NONE, info.finfo->format,
                                   static_cast<guint>(info.width), static_cast<guint>(info.height),
                                   info.finfo->n_planes, padded.offset, padded.stride);
  }
  write_pixels(buffer, info, value_at);
  return BufferPtr(buffer);
}

inline std::vector<std::uint8_t> bytes_of(GstBuffer* buffer) {
  std::vector<std::uint8_t> bytes(gst_buffer_get_size(buffer));
  if (!bytes.empty()) gst_buffer_extract(buffer, 0, bytes.data(), bytes.size());
  return bytes;
}

// All formats with pixels to be read, as pad templates list them: "{ A, B }".
inline std::vector<GstVideoFormat> all_video_formats() {
  std::vector<GstVideoFormat> formats;
  std::istringstream names(GST_VIDEO_FORMATS_ALL);
  for (std::string name; names >> name;) {
    if (name.back() == ',') name.pop_back();
    if (name != "{" && name != "}") formats.push_back(gst_video_format_from_string(name.c_str()));
  }
  return formats;
}

inline std::string format_name(const testing::TestParamInfo<GstVideoFormat>& info) {
  return gst_video_format_to_string(info.param);
}

}  // namespace cltrack::test
