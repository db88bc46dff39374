// SPDX-License-Identifier: LGPL-2.1-or-later
#include "scene.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <sstream>

#include "pictures/frame_layout.h"

namespace cltrack::test {
namespace {

float hash(int x, int y, unsigned seed) {
  std::uint32_t h = static_cast<std::uint32_t>(x) * 374761393u +
                    static_cast<std::uint32_t>(y) * 668265263u + seed * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  return static_cast<float>((h ^ (h >> 16)) & 0xFFFF) / 65535.0f;
}

// Random values on a grid of `cell`, smoothly interpolated; 0 to 1.
float noise(float x, float y, float cell, unsigned seed) {
  const float gx = x / cell;
  const float gy = y / cell;
  const int ix = static_cast<int>(std::floor(gx));
  const int iy = static_cast<int>(std::floor(gy));
  const auto smooth = [](float t) { return t * t * (3 - 2 * t); };
  const float fx = smooth(gx - static_cast<float>(ix));
  const float fy = smooth(gy - static_cast<float>(iy));
  const float top = std::lerp(hash(ix, iy, seed), hash(ix + 1, iy, seed), fx);
  const float bottom = std::lerp(hash(ix, iy + 1, seed), hash(ix + 1, iy + 1, seed), fx);
  return std::lerp(top, bottom, fy);
}

std::uint8_t background(float x, float y) {
  return static_cast<std::uint8_t>(60 + 70 * noise(x, y, 29, 1) + 40 * noise(x, y, 11, 2));
}

std::uint8_t foreground(float u, float v) {  // 0 to 1 across the target
  return static_cast<std::uint8_t>(30 + 140 * noise(u, v, 0.27f, 3) + 70 * noise(u, v, 0.12f, 4));
}

void fill_component(const GstVideoFrame& frame, unsigned c, const Image* picture,
                    std::uint8_t value) {
  auto* data = static_cast<guint8*>(GST_VIDEO_FRAME_COMP_DATA(&frame, c));
  const std::ptrdiff_t stride = GST_VIDEO_FRAME_COMP_STRIDE(&frame, c);
  const std::ptrdiff_t step = GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, c);
  for (int y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, c); ++y) {
    for (int x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH(&frame, c); ++x) {
      data[y * stride + x * step] = picture != nullptr ? picture->row(y)[x] : value;
    }
  }
}

// The lowest chroma row or column of a subsampled plane is rounded up.
int plane_rows(const GstVideoInfo& info, unsigned plane) {
  for (unsigned c = 0; c < GST_VIDEO_INFO_N_COMPONENTS(&info); ++c) {
    if (static_cast<unsigned>(GST_VIDEO_INFO_COMP_PLANE(&info, c)) == plane) {
      return GST_VIDEO_INFO_COMP_HEIGHT(&info, c);
    }
  }
  return 0;
}

}  // namespace

Image draw_scene(int width, int height, const BoundingBox& target) {
  Image picture(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const float px = static_cast<float>(x) + 0.5f;
      const float py = static_cast<float>(y) + 0.5f;
      const float u = (px - target.x) / target.width;
      const float v = (py - target.y) / target.height;
      const bool inside = target.is_valid() && u >= 0 && u < 1 && v >= 0 && v < 1;
      picture.row(y)[x] = inside ? foreground(u, v) : background(px, py);
    }
  }
  return picture;
}

std::string targets_text(const std::vector<std::pair<BoundingBox, std::string>>& targets) {
  std::ostringstream text;
  for (const auto& [box, label] : targets) {
    text << (text.tellp() == 0 ? "<<" : ",<") << box.x << "," << box.y << "," << box.width << ","
         << box.height << (label.empty() ? "" : ",\"" + label + "\"") << ">";
  }
  return text.str() + ">";
}

BoundingBox moving_target(int index) {
  const float t = static_cast<float>(index);
  return {120 + 60 * std::sin(t * 0.05f), 90 + 30 * std::sin(t * 0.083f), 48, 40};
}

Image moving_scene(int index) { return draw_scene(320, 240, moving_target(index)); }

std::vector<GstVideoFormat> supported_formats() {
  std::vector<GstVideoFormat> formats;
  const CapsPtr caps(gst::make_supported_caps());
  const GValue* list = gst_structure_get_value(gst_caps_get_structure(caps.get(), 0), "format");
  for (guint i = 0; i < gst_value_list_get_size(list); ++i) {
    formats.push_back(
        gst_video_format_from_string(g_value_get_string(gst_value_list_get_value(list, i))));
  }
  return formats;
}

BufferPtr make_buffer(const Image& picture, GstVideoFormat format, const BufferOptions& options) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, format, static_cast<guint>(picture.width()),
                            static_cast<guint>(picture.height()));
  const bool plain = options.row_padding == 0 && !options.bottom_up;
  gsize size = info.size;
  if (!plain) {
    size = 0;
    for (unsigned plane = 0; plane < GST_VIDEO_INFO_N_PLANES(&info); ++plane) {
      const int rows = plane_rows(info, plane);
      const int stride = GST_VIDEO_INFO_PLANE_STRIDE(&info, plane) + options.row_padding;
      info.stride[plane] = options.bottom_up ? -stride : stride;
      info.offset[plane] = size + static_cast<gsize>(options.bottom_up ? stride * (rows - 1) : 0);
      size += static_cast<gsize>(stride) * static_cast<gsize>(rows);
    }
    info.size = size;
  }
  BufferPtr buffer(gst_buffer_new_allocate(nullptr, size, nullptr));
  GstMapInfo map;
  gst_buffer_map(buffer.get(), &map, GST_MAP_WRITE);
  for (gsize i = 0; i < size; ++i) map.data[i] = static_cast<guint8>(i * 37 + 11);
  gst_buffer_unmap(buffer.get(), &map);
  if (!plain) {
    gst_buffer_add_video_meta_full(buffer.get(), GST_VIDEO_FRAME_FLAG_NONE, format,
                                   static_cast<guint>(picture.width()),
                                   static_cast<guint>(picture.height()),
                                   GST_VIDEO_INFO_N_PLANES(&info), info.offset, info.stride);
  }
  GstVideoFrame frame;
  gst_video_frame_map(&frame, &info, buffer.get(), GST_MAP_WRITE);
  const bool rgb = GST_VIDEO_INFO_IS_RGB(&info);
  for (unsigned c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS(&frame); ++c) {
    const bool brightness = c == 0 || (rgb && c < 3);
    fill_component(frame, c, brightness ? &picture : nullptr, c == 3 ? 255 : 128);
  }
  gst_video_frame_unmap(&frame);
  return buffer;
}

std::string caps_text(int width, int height, GstVideoFormat format) {
  return std::string("video/x-raw,format=") + gst_video_format_to_string(format) +
         ",width=" + std::to_string(width) + ",height=" + std::to_string(height) +
         ",framerate=25/1";
}

BufferPtr color_picture(const std::vector<ColorPatch>& patches, GstVideoFormat format) {
  GstVideoInfo from, to;
  gst_video_info_set_format(&from, GST_VIDEO_FORMAT_RGB, kColorWidth, kColorHeight);
  gst_video_info_set_format(&to, format, kColorWidth, kColorHeight);
  BufferPtr rgb(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&from), nullptr));
  GstVideoFrame source;
  gst_video_frame_map(&source, &from, rgb.get(), GST_MAP_READWRITE);
  const auto put = [&](int x, int y, const std::array<guint8, 3>& color) {
    auto* row = static_cast<guint8*>(GST_VIDEO_FRAME_PLANE_DATA(&source, 0)) +
                y * GST_VIDEO_FRAME_PLANE_STRIDE(&source, 0);
    std::memcpy(row + 3 * x, color.data(), 3);
  };
  for (int y = 0; y < kColorHeight; ++y) {
    for (int x = 0; x < kColorWidth; ++x) put(x, y, {100, 105, 100});
  }
  for (const ColorPatch& p : patches) {
    for (int y = p.y; y < p.y + p.height; ++y) {
      for (int x = p.x; x < p.x + p.width; ++x) put(x, y, p.color);
    }
  }
  BufferPtr result(gst_buffer_new_allocate(nullptr, GST_VIDEO_INFO_SIZE(&to), nullptr));
  GstVideoFrame target;
  gst_video_frame_map(&target, &to, result.get(), GST_MAP_WRITE);
  GstVideoConverter* converter = gst_video_converter_new(&from, &to, nullptr);
  gst_video_converter_frame(converter, &source, &target);
  gst_video_converter_free(converter);
  gst_video_frame_unmap(&target);
  gst_video_frame_unmap(&source);
  return result;
}

}  // namespace cltrack::test
