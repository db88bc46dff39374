// SPDX-License-Identifier: LGPL-2.1-or-later
#include "template_file.h"

#include <gst/video/video.h>

#include <algorithm>

#include "core/error.h"
#include "mapped_frame.h"
#include "scoped.h"
#include "video_formats.h"

namespace cltrack::gst {
namespace {

constexpr guint64 kTimeout = 10 * GST_SECOND;

void stop(GstElement* pipeline) {
  gst_element_set_state(pipeline, GST_STATE_NULL);
  gst_object_unref(pipeline);
}
using Pipeline = Scoped<GstElement, stop>;
using Element = Scoped<GstElement, gst_object_unref>;
using Sample = Scoped<GstSample, gst_sample_unref>;
using Message = Scoped<GstMessage, gst_message_unref>;
using Caps = Scoped<GstCaps, gst_caps_unref>;
using GlibError = Scoped<GError, g_error_free>;
using Text = Scoped<char, g_free>;

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument,
              "template-location \"" + path + "\": " + reason +
                  "; name a file with a picture that GStreamer can decode, such as PNG or JPEG");
}

// What the pipeline has complained of.
std::string complaint(GstElement* pipeline) {
  const Scoped<GstBus, gst_object_unref> bus(gst_element_get_bus(pipeline));
  const Message message(gst_bus_pop_filtered(bus.get(), GST_MESSAGE_ERROR));
  if (!message) return "no picture in it";
  GError* error = nullptr;
  gst_message_parse_error(message.get(), &error, nullptr);
  const GlibError owned(error);
  return error->message;
}

Image copy_luma(const Sample& sample, const std::string& path) {
  GstVideoInfo info;
  GstCaps* caps = gst_sample_get_caps(sample.get());
  GstBuffer* buffer = gst_sample_get_buffer(sample.get());
  if (caps == nullptr || buffer == nullptr || !gst_video_info_from_caps(&info, caps)) {
    refuse(path, "no picture in it");
  }
  const MappedFrame mapped(buffer, info, MapMode::read);
  Image scratch;
  const ImageView luma = mapped.luma(scratch);
  Image picture(luma.width, luma.height);
  for (int y = 0; y < luma.height; ++y) std::copy_n(luma.row(y), luma.width, picture.row(y));
  return picture;
}

}  // namespace

Image load_template(const std::string& path) {
  GError* error = nullptr;
  // No link with gst-app: what is needed of appsink are signals.
  GstElement* parsed = gst_parse_launch(
      "filesrc name=file ! decodebin ! videoconvert ! appsink name=out sync=false", &error);
  const Pipeline pipeline(parsed);
  const GlibError owned(error);
  if (!pipeline || error != nullptr) {
    refuse(path, std::string("the elements to decode it are not installed (") +
                     (error != nullptr ? error->message : "unknown reason") + ")");
  }
  const Element file(gst_bin_get_by_name(GST_BIN(pipeline.get()), "file"));
  const Element out(gst_bin_get_by_name(GST_BIN(pipeline.get()), "out"));
  const Caps caps(make_supported_caps());
  g_object_set(file.get(), "location", path.c_str(), nullptr);
  g_object_set(out.get(), "caps", caps.get(), nullptr);
  if (gst_element_set_state(pipeline.get(), GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE) {
    refuse(path, complaint(pipeline.get()));
  }
  // Ends with an error as well; without a picture it would wait forever.
  const GstStateChangeReturn changed =
      gst_element_get_state(pipeline.get(), nullptr, nullptr, kTimeout);
  if (changed == GST_STATE_CHANGE_ASYNC) refuse(path, "it was not decoded within 10 seconds");
  if (changed == GST_STATE_CHANGE_FAILURE) refuse(path, complaint(pipeline.get()));
  GstSample* pulled = nullptr;
  g_signal_emit_by_name(out.get(), "try-pull-preroll", kTimeout, &pulled);
  const Sample sample(pulled);
  if (!sample) refuse(path, complaint(pipeline.get()));
  return copy_luma(sample, path);
}

}  // namespace cltrack::gst
