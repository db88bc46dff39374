// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pipeline.h"

#include <gst/video/video.h>

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

namespace track_video {
namespace {

// The packages of elements that may be missing.
const std::map<std::string, std::string> kPackages = {
    {"cltracker", "this project's plugin: is GST_PLUGIN_PATH set? examples/demo.sh sets it"},
    {"trackoverlay", "this project's plugin: is GST_PLUGIN_PATH set? examples/demo.sh sets it"},
    {"uridecodebin", "package gstreamer1.0-plugins-base"},
    {"videoconvert", "package gstreamer1.0-plugins-base"},
    {"videoscale", "package gstreamer1.0-plugins-base"},
    {"videoflip", "package gstreamer1.0-plugins-good"},
    {"mp4mux", "package gstreamer1.0-plugins-good"},
    {"webmmux", "package gstreamer1.0-plugins-good"},
    {"vp8enc", "package gstreamer1.0-plugins-good"},
};

// Audio and subtitles are not decoded.
gboolean wants_decoding(GstElement*, GstPad*, GstCaps* caps, gpointer) {
  const std::string_view type = gst_structure_get_name(gst_caps_get_structure(caps, 0));
  return !type.starts_with("audio/") && !type.starts_with("text/") &&
         !type.starts_with("subpicture/") && !type.starts_with("application/x-subtitle");
}

GstElement* add(GstElement* bin, const char* factory) {
  GstElement* element = gst_element_factory_make(factory, nullptr);
  if (element == nullptr) {
    const auto package = kPackages.find(factory);
    throw std::runtime_error(std::string("GStreamer has no element ") + factory +
                             (package == kPackages.end() ? "" : " (" + package->second + ")"));
  }
  gst_bin_add(GST_BIN(bin), element);
  return element;
}

bool has_element(const char* factory) {
  GstElementFactory* found = gst_element_factory_find(factory);
  if (found == nullptr) return false;
  gst_object_unref(found);
  return true;
}

void set(GstElement* element, const char* property, const char* value) {
  gst_util_set_object_arg(G_OBJECT(element), property, value);
}

void link(GstElement* from, GstElement* to) {
  if (!gst_element_link(from, to)) {
    throw std::runtime_error(std::string("cannot link ") + GST_OBJECT_NAME(from) + " to " +
                             GST_OBJECT_NAME(to));
  }
}

// A string for a serialised value, with any characters. With its type, because a label such as 50
// would be parsed as a number.
std::string serialized(const std::string& text) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_STRING);
  g_value_set_string(&value, text.c_str());
  const Ptr<gchar> result(gst_value_serialize(&value));
  g_value_unset(&value);
  return std::string("(string)") + result.get();
}

// As on the command line of gst-launch-1.0: targets="<<x,y,width,height>,<x,y,width,height,label>>"
void set_targets(GstElement* tracker, const std::vector<Target>& targets) {
  std::string text;
  for (const auto& target : targets) {
    text += text.empty() ? "<<" : ",<";
    text += to_string(target.box);
    if (!target.label.empty()) text.append(",").append(serialized(target.label));
    text += ">";
  }
  text += ">";
  GValue value = G_VALUE_INIT;
  g_value_init(&value, GST_TYPE_ARRAY);
  const std::string written = text;  // GStreamer changes the text that it parses
  const bool valid = gst_value_deserialize(&value, text.data()) != FALSE;
  if (valid) g_object_set_property(G_OBJECT(tracker), "targets", &value);
  g_value_unset(&value);
  if (!valid) throw std::runtime_error("GStreamer does not read the boxes " + written);
}

void apply_settings(GstElement* tracker, const Options& options) {
  for (const auto& [property, text] : options.settings) {
    GParamSpec* spec = g_object_class_find_property(G_OBJECT_GET_CLASS(tracker), property.c_str());
    if (spec == nullptr || (spec->flags & G_PARAM_WRITABLE) == 0) {
      throw std::runtime_error("--set " + property + ": cltracker has no such writable property. " +
                               "gst-inspect-1.0 cltracker lists them");
    }
    GValue value = G_VALUE_INIT;
    g_value_init(&value, spec->value_type);
    const bool valid = gst_value_deserialize(&value, text.c_str()) != FALSE &&
                       g_param_value_validate(spec, &value) == FALSE;
    if (valid) g_object_set_property(G_OBJECT(tracker), property.c_str(), &value);
    g_value_unset(&value);
    if (!valid) {
      throw std::runtime_error("--set " + property + "=" + text + ": not a valid value of '" +
                               property + "'. gst-inspect-1.0 cltracker lists what is allowed");
    }
  }
}

struct Encoding {
  GstElement* encoder;
  GstElement* muxer;
  const char* file_name;
};

Encoding add_h264(GstElement* bin) {
  GstElement* encoder = add(bin, "x264enc");
  set(encoder, "pass", "qual");
  set(encoder, "quantizer", "21");
  set(encoder, "speed-preset", "veryfast");
  GstElement* muxer = add(bin, "mp4mux");
  set(muxer, "faststart", "true");  // plays while it is still being loaded
  return {encoder, muxer, "annotated.mp4"};
}

Encoding add_vp8(GstElement* bin) {
  GstElement* encoder = add(bin, "vp8enc");
  set(encoder, "deadline", "1");
  set(encoder, "cpu-used", "8");
  set(encoder, "end-usage", "cq");
  set(encoder, "cq-level", "15");
  set(encoder, "target-bitrate", "8000000");
  return {encoder, add(bin, "webmmux"), "annotated.webm"};
}

// The elements after the tracker for an annotated video.
void add_video_output(Pipeline& pipeline, const Options& options) {
  GstElement* bin = pipeline.bin.get();
  pipeline.overlay = add(bin, "trackoverlay");
  GstElement* queue = add(bin, "queue");  // encodes in another thread
  GstElement* convert = add(bin, "videoconvert");
  GstElement* scale = add(bin, "videoscale");
  pipeline.size_filter = add(bin, "capsfilter");
  const bool h264 = has_element("x264enc") && has_element("mp4mux");
  const Encoding encoding = h264 ? add_h264(bin) : add_vp8(bin);
  GstElement* sink = add(bin, "filesink");
  pipeline.video_file = options.output / encoding.file_name;
  pipeline.video_part = pipeline.video_file;
  pipeline.video_part += ".part";
  g_object_set(sink, "location", pipeline.video_part.c_str(), nullptr);
  pipeline.output = {pipeline.overlay, queue,          convert, scale, pipeline.size_filter,
                     encoding.encoder, encoding.muxer, sink};
  GstElement* last = pipeline.tracker;
  for (GstElement* element : pipeline.output) {
    link(last, element);
    last = element;
  }
}

}  // namespace

Pipeline make_pipeline(const Options& options) {
  Pipeline pipeline;
  pipeline.bin.reset(GST_ELEMENT(gst_object_ref_sink(gst_pipeline_new("track-video"))));
  GstElement* bin = pipeline.bin.get();
  pipeline.source = add(bin, "uridecodebin");
  const Ptr<gchar> uri(gst_filename_to_uri(options.video.c_str(), nullptr));
  g_object_set(pipeline.source, "uri", uri.get(), nullptr);
  g_signal_connect(pipeline.source, "autoplug-continue", G_CALLBACK(wants_decoding), nullptr);
  pipeline.entry = add(bin, "videoconvert");
  GstElement* flip = add(bin, "videoflip");
  set(flip, "video-direction", "auto");  // upright, as players show it
  pipeline.tracker = add(bin, "cltracker");
  apply_settings(pipeline.tracker, options);
  set_targets(pipeline.tracker, options.targets);
  link(pipeline.entry, flip);
  link(flip, pipeline.tracker);
  if (options.write_video) {
    add_video_output(pipeline, options);
  } else {
    GstElement* sink = add(bin, "fakesink");
    g_object_set(sink, "sync", FALSE, nullptr);
    link(pipeline.tracker, sink);
  }
  return pipeline;
}

}  // namespace track_video
