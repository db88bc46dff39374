// SPDX-License-Identifier: LGPL-2.1-or-later
#include "source.h"

#include <filesystem>
#include <stdexcept>

#include "examples/track_video/gst_ptr.h"
#include "examples/track_video/quote.h"

namespace rtsp_server {
namespace {

using track_video::Ptr;
using track_video::quote;

constexpr guint kLatency = 200;  // ms; rtspsrc's own 2 s would be added to all that is watched

bool is_element(const std::string& name) {
  GstElementFactory* factory = gst_element_factory_find(name.c_str());
  if (factory == nullptr) return false;
  gst_object_unref(factory);
  return true;
}

Source uri_source(const std::string& text) {
  Source source;
  source.kind = text.starts_with("file://") ? SourceKind::file : SourceKind::live;
  source.name = without_password(text);
  source.elements = "uridecodebin name=source";
  source.property = "uri";
  source.value = text;
  return source;
}

Source file_source(const std::string& text) {
  if (!std::filesystem::is_regular_file(text)) {
    throw std::runtime_error(quote(text) + " is not a regular file; give a video file");
  }
  const Ptr<gchar> uri(gst_filename_to_uri(text.c_str(), nullptr));
  Source source = uri_source(uri.get());
  source.name = text;
  return source;
}

// uridecodebin makes its source itself.
void on_source_setup(GstElement*, GstElement* made, gpointer) {
  const GParamSpec* latency = g_object_class_find_property(G_OBJECT_GET_CLASS(made), "latency");
  if (latency != nullptr && latency->value_type == G_TYPE_UINT) {
    g_object_set(made, "latency", kLatency, nullptr);
  }
}

}  // namespace

std::string without_password(std::string text) {
  const std::size_t begin = text.find("://");
  if (begin == std::string::npos) return text;
  const std::size_t host = text.rfind('@', text.find('/', begin + 3));
  const std::size_t colon = text.find(':', begin + 3);
  if (host != std::string::npos && host > begin && colon < host) {
    text.replace(colon + 1, host - colon - 1, "***");
  }
  return text;
}

Source parse_source(std::string_view given) {
  const std::string text(given);
  std::error_code error;
  if (gst_uri_is_valid(text.c_str()) && text.find("://") != std::string::npos) {
    return uri_source(text);
  }
  if (text.starts_with("/dev/video")) {
    return {SourceKind::live, text, "v4l2src name=source ! decodebin", "device", text};
  }
  if (std::filesystem::exists(text, error)) return file_source(text);
  if (is_element(text.substr(0, text.find_first_of(" !")))) {
    return {SourceKind::scene, text, text, "", ""};
  }
  throw std::runtime_error("source " + quote(text) +
                           ": there is no such file, and it is neither a URI (rtsp://...) nor "
                           "/dev/videoN nor an element of GStreamer (videotestsrc)");
}

void configure_source(GstElement* pipeline, const Source& source) {
  if (source.property.empty()) return;
  const Ptr<GstElement> element(gst_bin_get_by_name(GST_BIN(pipeline), "source"));
  g_object_set(element.get(), source.property.c_str(), source.value.c_str(), nullptr);
  if (source.property == "uri") {
    g_signal_connect(element.get(), "source-setup", G_CALLBACK(on_source_setup), nullptr);
  }
}

}  // namespace rtsp_server
