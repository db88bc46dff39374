// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tracker_harness.h"

#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace cltrack::test {
namespace {

constexpr const char* kEvent = "cltrack-control";

template <typename Pull>
int count_events(const Pull& pull) {
  int count = 0;
  while (GstEvent* event = pull()) {
    count += gst_event_has_name(event, kEvent);
    gst_event_unref(event);
  }
  return count;
}

}  // namespace

ElementHarness::ElementHarness(const std::string& line)
    : ElementHarness(line.find('!') == line.npos
                         ? gst_parse_launch(line.c_str(), nullptr)
                         : gst_parse_bin_from_description(line.c_str(), TRUE, nullptr),
                     {}) {}

ElementHarness::ElementHarness(const char* factory, const std::vector<Property>& properties)
    : ElementHarness(gst_element_factory_make(factory, nullptr), properties) {}

ElementHarness::ElementHarness(GstElement* element, const std::vector<Property>& properties)
    : bus_(gst_bus_new()) {
  if (element == nullptr) {
    throw std::runtime_error("no such element: GST_PLUGIN_PATH_1_0 must name the plugin's folder");
  }
  element_.reset(GST_ELEMENT(gst_object_ref_sink(element)));
  gst_element_set_bus(element_.get(), bus_.get());
  for (const auto& [name, value] : properties) set(name, value);
  harness_ = gst_harness_new_with_element(element_.get(), "sink", "src");
}

ElementHarness::~ElementHarness() {
  gst_harness_teardown(harness_);
  gst_element_set_bus(element_.get(), nullptr);
}

void ElementHarness::set(const std::string& property, const std::string& value) {
  gst_util_set_object_arg(object(), property.c_str(), value.c_str());
}

GstStateChangeReturn ElementHarness::set_state(GstState state) {
  return gst_element_set_state(element(), state);
}

GstFlowReturn ElementHarness::push(BufferPtr buffer) {
  if (!GST_BUFFER_PTS_IS_VALID(buffer.get()) && GST_CLOCK_TIME_IS_VALID(next_)) {
    GST_BUFFER_PTS(buffer.get()) = next_;
    GST_BUFFER_DURATION(buffer.get()) = kFrameTime;
  }
  if (GST_BUFFER_PTS_IS_VALID(buffer.get())) next_ = GST_BUFFER_PTS(buffer.get()) + kFrameTime;
  return gst_harness_push(harness_, buffer.release());
}

BufferPtr ElementHarness::pass(BufferPtr buffer) {
  return push(std::move(buffer)) == GST_FLOW_OK ? pull() : nullptr;
}

BufferPtr ElementHarness::pull() { return BufferPtr(gst_harness_try_pull(harness_)); }

void ElementHarness::push_event(GstEvent* event) {
  EXPECT_TRUE(gst_harness_push_event(harness_, event));
}

void ElementHarness::push_segment(GstClockTime start, GstClockTime base) {
  GstSegment segment;
  gst_segment_init(&segment, GST_FORMAT_TIME);
  segment.start = segment.time = segment.position = start;
  segment.base = base;
  push_event(gst_event_new_segment(&segment));
}

void ElementHarness::flush() {
  push_event(gst_event_new_flush_start());
  push_event(gst_event_new_flush_stop(TRUE));
}

std::vector<MessagePtr> ElementHarness::messages(GstMessageType type) {
  std::vector<MessagePtr> found;
  while (GstMessage* message = gst_bus_pop_filtered(bus_.get(), type)) found.emplace_back(message);
  return found;
}

std::vector<std::string> ElementHarness::texts(GstMessageType type) {
  std::vector<std::string> found;
  for (const MessagePtr& message : messages(type)) found.push_back(text_of(message));
  return found;
}

TrackerHarness::TrackerHarness(std::initializer_list<Property> properties, const char* factory)
    : TrackerHarness(factory, std::vector<Property>(properties)) {}

void TrackerHarness::set_caps(int width, int height, GstVideoFormat format) {
  gst_harness_set_src_caps(get(), caps_from(caps_text(width, height, format)).release());
}

GstFlowReturn TrackerHarness::push(const Image& picture, GstVideoFormat format) {
  return push(make_buffer(picture, format));
}

BufferPtr TrackerHarness::pass(const Image& picture, GstVideoFormat format) {
  return pass(make_buffer(picture, format));
}

std::vector<StructurePtr> TrackerHarness::states() {
  std::vector<StructurePtr> found;
  for (const MessagePtr& message : messages(GST_MESSAGE_ELEMENT)) {
    const GstStructure* structure = gst_message_get_structure(message.get());
    if (gst_structure_has_name(structure, "cltracker-state")) {
      found.emplace_back(gst_structure_copy(structure));
    }
  }
  return found;
}

std::vector<gst::TrackRegion> regions(const BufferPtr& buffer) {
  return gst::read_tracks(buffer.get());
}

std::vector<BoundingBox> boxes(const BufferPtr& buffer) {
  std::vector<BoundingBox> found;
  gpointer position = nullptr;
  while (GstMeta* meta = gst_buffer_iterate_meta_filtered(
             buffer.get(), &position, GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE)) {
    const GstStructure* params = gst_video_region_of_interest_meta_get_param(
        reinterpret_cast<GstVideoRegionOfInterestMeta*>(meta), "cltrack");
    const auto side = [&](const char* name) { return static_cast<float>(double_of(params, name)); };
    found.push_back({side("x"), side("y"), side("width"), side("height")});
  }
  return found;
}

std::string state_of(const StructurePtr& message) { return string_of(message.get(), "state"); }

guint64 id_of(const StructurePtr& message) { return uint64_of(message.get(), "id"); }

std::uint64_t add_target(TrackerHarness& harness, const BoundingBox& box, const char* label) {
  guint64 id = 0;
  g_signal_emit_by_name(harness.object(), "add-target", static_cast<double>(box.x),
                        static_cast<double>(box.y), static_cast<double>(box.width),
                        static_cast<double>(box.height), label, &id);
  return id;
}

bool move_target(TrackerHarness& harness, std::uint64_t id, const BoundingBox& box) {
  gboolean done = FALSE;
  g_signal_emit_by_name(harness.object(), "move-target", static_cast<guint64>(id),
                        static_cast<double>(box.x), static_cast<double>(box.y),
                        static_cast<double>(box.width), static_cast<double>(box.height), &done);
  return done;
}

bool remove_target(TrackerHarness& harness, std::uint64_t id) {
  gboolean done = FALSE;
  g_signal_emit_by_name(harness.object(), "remove-target", static_cast<guint64>(id), &done);
  return done;
}

void clear_targets(TrackerHarness& harness) {
  g_signal_emit_by_name(harness.object(), "clear-targets");
}

GstEvent* control_event(GstEventType type, const std::string& fields) {
  GstStructure* structure = gst_structure_from_string((kEvent + (", " + fields)).c_str(), nullptr);
  EXPECT_NE(structure, nullptr) << fields;
  return gst_event_new_custom(type, structure);
}

std::vector<Answer> answers(TrackerHarness& harness) {
  std::vector<Answer> found;
  for (const MessagePtr& message : harness.messages(GST_MESSAGE_ELEMENT)) {
    const GstStructure* structure = gst_message_get_structure(message.get());
    if (!gst_structure_has_name(structure, "cltracker-target")) continue;
    Answer answer{.action = string_of(structure, "action"),
                  .label = string_of(structure, "label"),
                  .source = string_of(structure, "source"),
                  .reason = string_of(structure, "reason")};
    answer.id = uint64_of(structure, "id");
    gst_structure_get_int64(structure, "request", &answer.request);
    answer.timestamp = uint64_of(structure, "timestamp");
    answer.running_time = uint64_of(structure, "running-time");
    found.push_back(answer);
  }
  return found;
}

std::vector<std::string> actions(TrackerHarness& harness) {
  std::vector<std::string> found;
  for (const Answer& answer : answers(harness)) found.push_back(answer.action);
  return found;
}

int control_events_downstream(TrackerHarness& harness) {
  return count_events([&] { return gst_harness_try_pull_event(harness.get()); });
}

int control_events_upstream(TrackerHarness& harness) {
  return count_events([&] { return gst_harness_try_pull_upstream_event(harness.get()); });
}

}  // namespace cltrack::test
