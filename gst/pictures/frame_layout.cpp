// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/frame_layout.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

namespace cltrack::gst {
namespace {

// Where upstream leaves the choice, the first of the list is taken: the formats that most decoders
// and sinks have come first.
constexpr std::array kPreferred{GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_YV12,
                                GST_VIDEO_FORMAT_GRAY8};

void append_format(GValue* list, GstVideoFormat format) {
  GValue name = G_VALUE_INIT;
  g_value_init(&name, G_TYPE_STRING);
  g_value_set_static_string(&name, gst_video_format_to_string(format));
  gst_value_list_append_and_take_value(list, &name);
}

bool is_preferred(GstVideoFormat format) {
  for (const GstVideoFormat preferred : kPreferred) {
    if (preferred == format) return true;
  }
  return false;
}

}  // namespace

bool is_supported(const GstVideoFormatInfo* format) {
  constexpr unsigned kUnsupported =
      GST_VIDEO_FORMAT_FLAG_PALETTE | GST_VIDEO_FORMAT_FLAG_TILED | GST_VIDEO_FORMAT_FLAG_COMPLEX;
  constexpr unsigned kBrightness =
      GST_VIDEO_FORMAT_FLAG_YUV | GST_VIDEO_FORMAT_FLAG_GRAY | GST_VIDEO_FORMAT_FLAG_RGB;
  const unsigned flags = GST_VIDEO_FORMAT_INFO_FLAGS(format);
  const unsigned components = GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format);
  if ((flags & kUnsupported) != 0 || (flags & kBrightness) == 0 || components == 0) return false;

  for (unsigned c = 0; c < components; ++c) {
    if (GST_VIDEO_FORMAT_INFO_DEPTH(format, c) != 8 ||
        GST_VIDEO_FORMAT_INFO_SHIFT(format, c) != 0) {
      return false;
    }
  }
  const unsigned needed = GST_VIDEO_FORMAT_INFO_IS_RGB(format) ? 3 : 1;
  if (components < needed) return false;
  for (unsigned c = 0; c < needed; ++c) {
    if (GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c) <= 0) return false;
  }
  return true;
}

std::pair<int, int> picture_size(const GstCaps* caps) {
  int width = 0, height = 0;
  if (gst_caps_get_size(caps) > 0) {
    const GstStructure* structure = gst_caps_get_structure(caps, 0);
    gst_structure_get_int(structure, "width", &width);
    gst_structure_get_int(structure, "height", &height);
  }
  return {width, height};
}

GstCaps* make_supported_caps() { return make_caps_of(is_supported); }

GstCaps* with_cuda_memory(GstCaps* caps) {
  GstStructure* structure = gst_structure_copy(gst_caps_get_structure(caps, 0));
  gst_structure_set(structure, "format", G_TYPE_STRING, "NV12", nullptr);
  gst_caps_append_structure_full(caps, structure,
                                 gst_caps_features_new("memory:CUDAMemory", nullptr));
  return caps;
}

GstCaps* make_caps_of(bool (*accepts)(const GstVideoFormatInfo* format)) {
  GValue formats = G_VALUE_INIT;
  g_value_init(&formats, GST_TYPE_LIST);
  for (const GstVideoFormat format : kPreferred) {
    if (accepts(gst_video_format_get_info(format))) append_format(&formats, format);
  }
  guint count = 0;
  const GstVideoFormat* raw = gst_video_formats_raw(&count);
  for (guint i = 0; i < count; ++i) {
    if (!is_preferred(raw[i]) && accepts(gst_video_format_get_info(raw[i]))) {
      append_format(&formats, raw[i]);
    }
  }
  GstCaps* caps = gst_caps_new_simple("video/x-raw", "width", GST_TYPE_INT_RANGE, 1, G_MAXINT,
                                      "height", GST_TYPE_INT_RANGE, 1, G_MAXINT, "framerate",
                                      GST_TYPE_FRACTION_RANGE, 0, 1, G_MAXINT, 1, nullptr);
  gst_caps_set_value(caps, "format", &formats);
  g_value_unset(&formats);
  return caps;
}

namespace {

constexpr const char* kAtFault = ": this is an error of the element upstream";

// Formats whose pixels have no bytes of their own come in groups.
struct PixelGroup {
  GstVideoFormat format;
  int pixels;
  int bytes;
};
constexpr PixelGroup kPixelGroups[] = {
    {GST_VIDEO_FORMAT_v210, 6, 16},       {GST_VIDEO_FORMAT_UYVP, 2, 5},
    {GST_VIDEO_FORMAT_IYU1, 4, 6},        {GST_VIDEO_FORMAT_GRAY10_LE32, 3, 4},
    {GST_VIDEO_FORMAT_NV12_10LE32, 3, 4}, {GST_VIDEO_FORMAT_NV16_10LE32, 3, 4},
    {GST_VIDEO_FORMAT_NV12_10LE40, 4, 5},
};

// The stride of the layout that GStreamer gives to such a picture by itself; 0 if it has none.
int default_stride(const GstVideoInfo& info, unsigned plane) {
  GstVideoInfo plain;
  if (!gst_video_info_set_format(&plain, GST_VIDEO_INFO_FORMAT(&info),
                                 static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)),
                                 static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)))) {
    return 0;
  }
  return GST_VIDEO_INFO_PLANE_STRIDE(&plain, plane);
}

std::int64_t group_row_bytes(const GstVideoInfo& info, unsigned plane) {
  constexpr std::int64_t kMoreThanThereIs = std::int64_t{1} << 40;
  const int plain = default_stride(info, plane);
  const std::int64_t most = plain > 0 ? plain : kMoreThanThereIs;
  for (const PixelGroup& group : kPixelGroups) {
    if (group.format != GST_VIDEO_INFO_FORMAT(&info)) continue;
    const std::int64_t width = GST_VIDEO_INFO_WIDTH(&info);
    // Before 1.24 GStreamer's rows of UYVP end within the last group of an odd width.
    return std::min(most, (width + group.pixels - 1) / group.pixels * group.bytes);
  }
  return most;
}

std::int64_t tile_bytes(const GstVideoFormatInfo* format, unsigned plane) {
#if GST_CHECK_VERSION(1, 22, 0)
  return GST_VIDEO_FORMAT_INFO_TILE_SIZE(format, plane);
#else
  static_cast<void>(plane);
  return std::int64_t{1} << (format->tile_ws + format->tile_hs);
#endif
}

std::int64_t scale(std::int64_t value, unsigned shift) {
  return (value + (std::int64_t{1} << shift) - 1) >> shift;
}

// The strides of tiles say how many there are in either direction, in 16 bits each. The smallest
// tiles have four rows and columns.
bool has_tiles_for_picture(const GstVideoInfo& info, unsigned plane) {
  constexpr int kLongestSide = 4 * 0xffff;
  if (std::max(GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info)) > kLongestSide) {
    return false;
  }
  const int stride = GST_VIDEO_INFO_PLANE_STRIDE(&info, plane);
  const int needed = default_stride(info, plane);
  // Pairs of columns: the last one of an odd number has tiles that lie behind all others.
  const bool splits_pair =
      GST_VIDEO_FORMAT_INFO_TILE_MODE(info.finfo) == GST_VIDEO_TILE_MODE_ZFLIPZ_2X2 &&
      GST_VIDEO_TILE_X_TILES(stride) % 2 != 0;
  return needed != 0 && !splits_pair &&
         GST_VIDEO_TILE_X_TILES(stride) >= GST_VIDEO_TILE_X_TILES(needed) &&
         GST_VIDEO_TILE_Y_TILES(stride) >= GST_VIDEO_TILE_Y_TILES(needed);
}

std::string describe_plane(const GstVideoFrame& frame, unsigned plane) {
  return "Plane " + std::to_string(plane) + " of a picture of " +
         describe_picture(GST_VIDEO_FRAME_FORMAT(&frame),
                          static_cast<unsigned>(GST_VIDEO_FRAME_WIDTH(&frame)),
                          static_cast<unsigned>(GST_VIDEO_FRAME_HEIGHT(&frame))) +
         " (offset " + std::to_string(GST_VIDEO_FRAME_PLANE_OFFSET(&frame, plane)) + ", stride " +
         std::to_string(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane)) + ")";
}

std::string plane_problem(const GstVideoFrame& frame, unsigned plane) {
  const PlaneExtent extent = plane_extent(frame.info, plane);
  const std::int64_t stride = GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane);
  if (GST_VIDEO_FORMAT_INFO_IS_TILED(frame.info.finfo)) {
    if (!has_tiles_for_picture(frame.info, plane)) {
      return describe_plane(frame, plane) + " has too few tiles for the picture" + kAtFault;
    }
  } else if (extent.rows > 1 && std::abs(stride) < extent.row_bytes) {
    return describe_plane(frame, plane) + " has rows of " + std::to_string(extent.row_bytes) +
           " bytes, which overlap" + kAtFault;
  }

  const GstMapInfo& map = frame.map[plane];
  // Planes of one memory share the first map, and a map function of another allocator may leave
  // this empty.
  const GstMapInfo& memory = map.data != nullptr ? map : frame.map[0];
  if (memory.data == nullptr) return "";
  const std::int64_t start = static_cast<const guint8*>(frame.data[plane]) - memory.data;
  const std::int64_t last_row = start + (extent.rows - 1) * stride;
  if (std::min(start, last_row) >= 0 &&
      std::max(start, last_row) + extent.row_bytes <= static_cast<std::int64_t>(memory.size)) {
    return "";
  }
  return describe_plane(frame, plane) + " exceeds its memory of " + std::to_string(memory.size) +
         " bytes" + kAtFault;
}

}  // namespace

PlaneExtent plane_extent(const GstVideoInfo& info, unsigned plane) {
  const GstVideoFormatInfo* format = info.finfo;
  if (GST_VIDEO_FORMAT_INFO_HAS_PALETTE(format) && plane == 1) {
    return {.row_bytes = 256 * 4, .rows = 1};
  }
  if (GST_VIDEO_FORMAT_INFO_IS_TILED(format)) {
    const int stride = GST_VIDEO_INFO_PLANE_STRIDE(&info, plane);
    return {.row_bytes = std::int64_t{GST_VIDEO_TILE_X_TILES(stride)} *
                         GST_VIDEO_TILE_Y_TILES(stride) * tile_bytes(format, plane),
            .rows = 1};
  }
  PlaneExtent extent;
  for (unsigned c = 0; c < GST_VIDEO_FORMAT_INFO_N_COMPONENTS(format); ++c) {
    if (GST_VIDEO_FORMAT_INFO_PLANE(format, c) != plane) continue;
    const std::int64_t pixel_bytes = GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c);
    const std::int64_t row_bytes = pixel_bytes > 0
                                       ? pixel_bytes * scale(GST_VIDEO_INFO_WIDTH(&info),
                                                             GST_VIDEO_FORMAT_INFO_W_SUB(format, c))
                                       : group_row_bytes(info, plane);
    extent.row_bytes = std::max(extent.row_bytes, row_bytes);
    extent.rows = std::max(
        extent.rows, scale(GST_VIDEO_INFO_HEIGHT(&info), GST_VIDEO_FORMAT_INFO_H_SUB(format, c)));
  }
  return extent;
}

std::string describe_picture(int format, unsigned width, unsigned height) {
  auto* formats = static_cast<GEnumClass*>(g_type_class_ref(GST_TYPE_VIDEO_FORMAT));
  const bool is_known =
      format != GST_VIDEO_FORMAT_UNKNOWN && g_enum_get_value(formats, format) != nullptr;
  g_type_class_unref(formats);
  const std::string name = is_known
                               ? gst_video_format_to_string(static_cast<GstVideoFormat>(format))
                               : "format number " + std::to_string(format);
  return name + " " + std::to_string(width) + "x" + std::to_string(height);
}

std::string meta_problem(GstBuffer* buffer, const GstVideoInfo& info) {
  const GstVideoMeta* meta = gst_buffer_get_video_meta(buffer);
  if (meta == nullptr) return "";
  int format = 0;  // a number that is none of GstVideoFormat's may not be read as one
  static_assert(sizeof(format) == sizeof(meta->format));
  std::memcpy(&format, &meta->format, sizeof(format));
  const auto width = static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info));
  const auto height = static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info));
  const std::string both =
      "The GstVideoMeta of a buffer says " + describe_picture(format, meta->width, meta->height) +
      ", but the caps say " + describe_picture(GST_VIDEO_INFO_FORMAT(&info), width, height);
  if (format != GST_VIDEO_INFO_FORMAT(&info) || meta->width < width || meta->height < height) {
    return both + kAtFault;
  }
  if (meta->width > G_MAXINT || meta->height > G_MAXINT) {
    return both + "; a picture has at most 2147483647 rows and columns" + kAtFault;
  }
  if (meta->n_planes != GST_VIDEO_INFO_N_PLANES(&info)) {
    return "The GstVideoMeta of a buffer has " + std::to_string(meta->n_planes) +
           " planes, but a picture of " +
           describe_picture(GST_VIDEO_INFO_FORMAT(&info), width, height) + " has " +
           std::to_string(GST_VIDEO_INFO_N_PLANES(&info)) + kAtFault;
  }
  return "";
}

std::string layout_problem(const GstVideoFrame& frame) {
  for (unsigned plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    if (std::string problem = plane_problem(frame, plane); !problem.empty()) return problem;
  }
  return "";
}

}  // namespace cltrack::gst
