// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/video_formats.h"

#include <array>

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

GstCaps* make_supported_caps() { return make_caps_of(is_supported); }

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

}  // namespace cltrack::gst
