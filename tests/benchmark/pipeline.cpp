// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pipeline.h"

#include <gst/app/app.h>

#include <chrono>
#include <memory>

#include "core/error.h"

namespace cltrack::accuracy {
namespace {

constexpr GstClockTime kPatience = 600 * GST_SECOND;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::failed, message); }

// Stops the pipeline whatever happens.
struct Stop {
  void operator()(GstElement* pipeline) const {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
  }
};

std::string launch_line(const std::string& element, const std::string& properties,
                        const BoundingBox& box) {
  const auto initial = [](const char* name, float value) {
    return std::string(" object-initial-") + name + "=" + std::to_string(static_cast<int>(value));
  };
  return "appsrc name=source format=time max-bytes=0 ! " + element + initial("x", box.x) +
         initial("y", box.y) + initial("width", box.width) + initial("height", box.height) + " " +
         properties + " ! fakesink sync=false async=false";
}

}  // namespace

bool element_exists(const std::string& element) {
  GstElementFactory* factory = gst_element_factory_find(element.c_str());
  if (!factory) return false;
  gst_object_unref(factory);
  return true;
}

double time_pipeline(const std::string& element, const std::string& properties,
                     const BoundingBox& box, GstCaps* caps, std::span<GstBuffer* const> buffers) {
  using Clock = std::chrono::steady_clock;
  GError* error = nullptr;
  const std::unique_ptr<GstElement, Stop> pipeline(
      gst_parse_launch(launch_line(element, properties, box).c_str(), &error));
  if (!pipeline || error) {
    const std::string message = error ? error->message : "no pipeline";
    g_clear_error(&error);
    fail(message);
  }
  const std::unique_ptr<GstElement, decltype(&gst_object_unref)> source(
      gst_bin_get_by_name(GST_BIN(pipeline.get()), "source"), gst_object_unref);
  GstAppSrc* app_source = GST_APP_SRC(source.get());
  gst_app_src_set_caps(app_source, caps);
  const std::unique_ptr<GstBus, decltype(&gst_object_unref)> bus(
      gst_element_get_bus(pipeline.get()), gst_object_unref);
  if (gst_element_set_state(pipeline.get(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    fail(element + " does not start");
  }

  const auto start = Clock::now();
  for (GstBuffer* buffer : buffers) gst_app_src_push_buffer(app_source, gst_buffer_copy(buffer));
  gst_app_src_end_of_stream(app_source);
  GstMessage* message = gst_bus_timed_pop_filtered(
      bus.get(), kPatience, static_cast<GstMessageType>(int{GST_MESSAGE_EOS} | GST_MESSAGE_ERROR));
  const std::chrono::duration<double> seconds = Clock::now() - start;

  if (!message) fail(element + ": no end of the stream");
  std::string failure;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message, &error, nullptr);
    failure = element + ": " + error->message;
    g_clear_error(&error);
  }
  gst_message_unref(message);
  if (!failure.empty()) fail(failure);
  return seconds.count();
}

}  // namespace cltrack::accuracy
