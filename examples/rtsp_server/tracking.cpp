// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tracking.h"

#include <gst/app/gstappsink.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace rtsp_server {
namespace {

using track_video::Ptr;

constexpr guint kLongestWait = 30;                // seconds
constexpr gint64 kSilence = 10 * G_USEC_PER_SEC;  // a camera of which nothing comes is gone

// Before the tracker, of a live source only the latest picture waits. Encoders want even sizes.
std::string description(const Source& source) {
  const char* const queue = source.kind == SourceKind::live
                                ? " ! queue leaky=downstream max-size-buffers=1"
                                : " ! queue max-size-buffers=2";
  return source.elements + queue +
         " ! videoconvert ! videoflip video-direction=auto ! cltracker name=tracker ! trackoverlay "
         "name=overlay"
         " ! videoconvert ! videoscale ! video/x-raw,format=I420,width=(int)[2,32768,2],"
         "height=(int)[2,32768,2]"
         " ! appsink name=sink emit-signals=true max-buffers=2 drop=true";
}

std::string targets_json(const std::vector<track_video::Target>& targets) {
  auto list = nlohmann::json::array();
  for (const auto& [box, label] : targets) {
    list.push_back({{"x", box.x}, {"y", box.y}, {"width", box.width}, {"height", box.height}});
    if (!label.empty()) list.back()["label"] = label;
  }
  return list.dump();
}

std::string text_of(const GError& error, const gchar* debug) {
  std::string text = error.message;
  // The debug text starts with the place in the source; the reason is on the lines after it.
  const std::string details = debug == nullptr ? "" : debug;
  const auto line = details.find('\n');
  if (line != std::string::npos) text += ": " + details.substr(line + 1);
  return text;
}

// Whose errors are not the source's.
bool is_ours(GstMessage* message) {
  const std::string_view name = GST_OBJECT_NAME(GST_MESSAGE_SRC(message));
  return name == "tracker" || name == "overlay" || name == "sink";
}

}  // namespace

Tracking::Tracking(const Options& options, Calls calls)
    : options_(options), calls_(std::move(calls)) {
  open();
  timer_ = g_timeout_add_seconds(1, on_second, this);
}

Tracking::~Tracking() {
  close();
  g_source_remove(timer_);
  if (again_ != 0) g_source_remove(again_);
}

// Makes all elements: what gst_parse_launch() has linked when a pad came, it does not link again.
void Tracking::open() {
  GError* raw_error = nullptr;
  GstElement* made = gst_parse_launch_full(description(options_.source).c_str(), nullptr,
                                           GST_PARSE_FLAG_FATAL_ERRORS, &raw_error);
  const Ptr<GError> error(raw_error);
  if (made == nullptr) {
    throw std::runtime_error(options_.source.name + ": " + error->message +
                             ". cltracker and trackoverlay are this project's plugin: is "
                             "GST_PLUGIN_PATH set?");
  }
  pipeline_.reset(GST_ELEMENT(gst_object_ref_sink(made)));
  configure_source(made, options_.source);
  const Ptr<GstElement> tracker(gst_bin_get_by_name(GST_BIN(made), "tracker"));
  g_object_set(tracker.get(), "targets-json", targets_json(options_.targets).c_str(), nullptr);
  const Ptr<GstElement> sink(gst_bin_get_by_name(GST_BIN(made), "sink"));
  g_signal_connect(sink.get(), "new-sample", G_CALLBACK(on_sample), this);
  const Ptr<GstBus> bus(gst_element_get_bus(made));
  gst_bus_add_watch(bus.get(), on_message, this);
}

void Tracking::close() {
  if (pipeline_ == nullptr) return;
  const Ptr<GstBus> bus(gst_element_get_bus(pipeline_.get()));
  gst_bus_remove_watch(bus.get());
  gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
  pipeline_.reset();
}

// What fails is a message on the bus.
void Tracking::start() {
  has_pictures_ = false;
  last_picture_ = g_get_monotonic_time();
  gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
}

// From the main loop, which knows no exceptions.
void Tracking::start_anew() {
  try {
    open();
    start();
  } catch (const std::exception& error) {
    calls_.ended(error.what());
  }
}

GstFlowReturn Tracking::on_sample(GstElement* sink, gpointer self) {
  auto& tracking = *static_cast<Tracking*>(self);
  GstSample* sample = gst_app_sink_pull_sample(GST_APP_SINK(sink));
  if (sample == nullptr) return GST_FLOW_EOS;
  tracking.last_picture_ = g_get_monotonic_time();
  tracking.calls_.picture(sample);
  gst_sample_unref(sample);
  if (!tracking.has_pictures_.exchange(true)) {
    gst_element_post_message(
        sink, gst_message_new_application(GST_OBJECT(sink), gst_structure_new_empty("began")));
  }
  return GST_FLOW_OK;
}

gboolean Tracking::on_message(GstBus*, GstMessage* message, gpointer self) {
  auto& tracking = *static_cast<Tracking*>(self);
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_APPLICATION:
      tracking.wait_ = 1;
      tracking.calls_.began();
      break;
    case GST_MESSAGE_ERROR:
      tracking.observe_error(message);
      break;
    case GST_MESSAGE_EOS:
      tracking.observe_end();
      break;
    case GST_MESSAGE_LATENCY:
      gst_bin_recalculate_latency(GST_BIN(tracking.pipeline_.get()));
      break;
    default:
      break;
  }
  return G_SOURCE_CONTINUE;
}

void Tracking::observe_error(GstMessage* message) {
  GError* raw_error = nullptr;
  gchar* raw_debug = nullptr;
  gst_message_parse_error(message, &raw_error, &raw_debug);
  const Ptr<GError> error(raw_error);
  const Ptr<gchar> debug(raw_debug);
  const std::string text = without_password(text_of(*error, debug.get()));
  if (options_.source.kind == SourceKind::live && !is_ours(message)) {
    lose(text);
  } else {
    close();
    calls_.ended(options_.source.name + ": " + text);
  }
}

void Tracking::observe_end() {
  if (options_.source.kind == SourceKind::live) {
    lose("the stream has ended");
    return;
  }
  const bool empty = !has_pictures_;
  close();
  if (options_.loop && !empty) {
    start_anew();
  } else {
    calls_.ended(empty ? options_.source.name + ": holds no picture" : "");
  }
}

void Tracking::lose(const std::string& why) {
  close();
  std::cerr << "rtsp-server: " << options_.source.name << ": " << why << "; opened again in "
            << wait_ << " s" << std::endl;
  if (has_pictures_) calls_.gone();
  again_ = g_timeout_add_seconds(wait_, on_again, this);
  wait_ = std::min(2 * wait_, kLongestWait);
}

gboolean Tracking::on_again(gpointer self) {
  auto& tracking = *static_cast<Tracking*>(self);
  tracking.again_ = 0;
  tracking.start_anew();
  return G_SOURCE_REMOVE;
}

gboolean Tracking::on_second(gpointer self) {
  auto& tracking = *static_cast<Tracking*>(self);
  if (tracking.options_.source.kind == SourceKind::live && tracking.pipeline_ != nullptr &&
      g_get_monotonic_time() - tracking.last_picture_ > kSilence) {
    tracking.lose("no picture for 10 s");
  }
  return G_SOURCE_CONTINUE;
}

}  // namespace rtsp_server
