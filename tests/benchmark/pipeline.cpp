// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pipeline.h"

#include <gst/app/app.h>

#include <chrono>
#include <memory>
#include <utility>

#include "cltrack/error.h"
#include "offered_pool.h"

namespace cltrack::accuracy {
namespace {

using Clock = std::chrono::steady_clock;

constexpr GstClockTime kPatience = 600 * GST_SECOND;
constexpr GstClockTime kFrameDuration = 40 * GST_MSECOND;

[[noreturn]] void fail(const std::string& message) { throw Error(ErrorCode::failed, message); }

// Stops the pipeline whatever happens.
struct Stop {
  void operator()(GstElement* pipeline) const {
    gst_element_set_state(pipeline, GST_STATE_NULL);
    gst_object_unref(pipeline);
  }
};

template <typename T>
struct Unref {
  void operator()(T* object) const { gst_object_unref(object); }
};
template <typename T>
using Object = std::unique_ptr<T, Unref<T>>;

// How long each buffer is inside of an element that pushes what it gets in the same thread.
struct FrameTimes {
  void watch(GstElement* element) {
    const Object<GstPad> sink(gst_element_get_static_pad(element, "sink"));
    const Object<GstPad> src(gst_element_get_static_pad(element, "src"));
    gst_pad_add_probe(sink.get(), GST_PAD_PROBE_TYPE_BUFFER, enter, this, nullptr);
    gst_pad_add_probe(src.get(), GST_PAD_PROBE_TYPE_BUFFER, leave, this, nullptr);
  }

  static GstPadProbeReturn enter(GstPad* sink, GstPadProbeInfo* info, gpointer self) {
    auto* times = static_cast<FrameTimes*>(self);
    if (times->memory == PictureMemory::offered) times->move(sink, info);
    times->start = Clock::now();
    return GST_PAD_PROBE_OK;
  }
  static GstPadProbeReturn leave(GstPad*, GstPadProbeInfo*, gpointer self) {
    auto* times = static_cast<FrameTimes*>(self);
    times->ends.push_back(Clock::now());
    const std::chrono::duration<double, std::milli> time = times->ends.back() - times->start;
    times->ms.push_back(time.count());
    return GST_PAD_PROBE_OK;
  }

  // Puts the picture where a decoder that takes the offer would have written it.
  void move(GstPad* sink, GstPadProbeInfo* info) {
    if (!asked) all_moved = pool.ask(sink);
    asked = true;
    GstBuffer* buffer = GST_PAD_PROBE_INFO_BUFFER(info);
    GstBuffer* moved = pool.copy(buffer);
    all_moved = all_moved && moved != nullptr;
    if (moved == nullptr) return;
    gst_buffer_unref(buffer);
    info->data = moved;
  }

  PictureMemory memory = PictureMemory::own;
  OfferedPool pool;
  bool asked = false, all_moved = false;
  Clock::time_point start;
  std::vector<double> ms;
  std::vector<Clock::time_point> ends;
};

using Structure = std::unique_ptr<GstStructure, decltype(&gst_structure_free)>;

// A property that is a structure; null if there is none.
Structure read_structure(GstElement* element, const char* property) {
  GstStructure* structure = nullptr;
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(element), property)) {
    g_object_get(element, property, &structure, nullptr);
  }
  return {structure, gst_structure_free};
}

std::string read_placement(GstElement* element) {
  const Structure placement = read_structure(element, "placement");
  if (!placement) return {};
  gchar* text = gst_structure_to_string(placement.get());
  const std::string result = text;
  g_free(text);
  return result;
}

void add_field(std::map<std::string, double>& sums, const gchar* name, const GValue* value) {
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  if (!G_VALUE_HOLDS_STRING(value) && g_value_transform(value, &number)) {
    sums[name] += g_value_get_double(&number);
  }
  g_value_unset(&number);
}

std::map<std::string, double> sum_statistics(GstElement* element) {
  std::map<std::string, double> sums;
  const Structure stats = read_structure(element, "stats");
  const GValue* stages = stats ? gst_structure_get_value(stats.get(), "stages") : nullptr;
  if (!stages || !GST_VALUE_HOLDS_ARRAY(stages)) return sums;
  for (guint i = 0; i < gst_value_array_get_size(stages); ++i) {
    const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, i));
    for (gint f = 0; f < gst_structure_n_fields(stage); ++f) {
      const gchar* name = gst_structure_nth_field_name(stage, static_cast<guint>(f));
      add_field(sums, name, gst_structure_get_value(stage, name));
    }
  }
  return sums;
}

std::string launch_line(const std::string& element, const std::string& properties,
                        const BoundingBox& box) {
  const auto initial = [](const char* name, float value) {
    return std::string(" object-initial-") + name + "=" + std::to_string(static_cast<int>(value));
  };
  return "appsrc name=source format=time max-bytes=0 ! " + element + " name=timed" +
         initial("x", box.x) + initial("y", box.y) + initial("width", box.width) +
         initial("height", box.height) + " " + properties + " ! fakesink sync=false async=false";
}

}  // namespace

bool element_has(const std::string& element, const std::string& property) {
  GstElement* instance = gst_element_factory_make(element.c_str(), nullptr);
  if (!instance) return false;
  gst_object_ref_sink(instance);
  const bool has =
      g_object_class_find_property(G_OBJECT_GET_CLASS(instance), property.c_str()) != nullptr;
  gst_object_unref(instance);
  return has;
}

PipelineRun run_pipeline(const std::string& element, const std::string& properties,
                         const BoundingBox& box, GstCaps* caps, std::span<GstBuffer* const> buffers,
                         PictureMemory memory) {
  GError* error = nullptr;
  FrameTimes times;  // outlives the pipeline, whose probes write to it
  times.memory = memory;
  times.ms.reserve(buffers.size());
  times.ends.reserve(buffers.size());
  const std::unique_ptr<GstElement, Stop> pipeline(
      gst_parse_launch(launch_line(element, properties, box).c_str(), &error));
  if (!pipeline || error) {
    const std::string message = error ? error->message : "no pipeline";
    g_clear_error(&error);
    fail(message);
  }
  const Object<GstElement> source(gst_bin_get_by_name(GST_BIN(pipeline.get()), "source"));
  const Object<GstElement> timed(gst_bin_get_by_name(GST_BIN(pipeline.get()), "timed"));
  times.watch(timed.get());
  GstAppSrc* app_source = GST_APP_SRC(source.get());
  gst_app_src_set_caps(app_source, caps);
  const Object<GstBus> bus(gst_element_get_bus(pipeline.get()));
  if (gst_element_set_state(pipeline.get(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) {
    fail(element + " does not start");
  }

  const auto start = Clock::now();
  GstClockTime time = 0;
  for (GstBuffer* buffer : buffers) {
    GstBuffer* copy = gst_buffer_copy(buffer);
    GST_BUFFER_PTS(copy) = time;
    GST_BUFFER_DURATION(copy) = kFrameDuration;
    time += kFrameDuration;
    gst_app_src_push_buffer(app_source, copy);
  }
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
  if (memory == PictureMemory::offered && !times.all_moved) {
    fail(element + " offers no memory, or too little");
  }
  return {seconds.count(), std::move(times.ms), std::move(times.ends), read_placement(timed.get()),
          sum_statistics(timed.get())};
}

}  // namespace cltrack::accuracy
