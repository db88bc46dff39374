// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tracker_harness.h"

#include <gst/video/gstvideometa.h>
#include <gtest/gtest.h>

namespace cltrack::test {
namespace {

constexpr GstClockTime kFrameTime = GST_SECOND / 25;

ElementPtr make_element(const char* factory) {
  GstElement* element = gst_element_factory_make(factory, nullptr);
  if (element == nullptr) {
    ADD_FAILURE() << "no element " << factory
                  << ": GST_PLUGIN_PATH must name the directory of the plugin";
    std::abort();
  }
  return ElementPtr(GST_ELEMENT(gst_object_ref_sink(element)));
}

}  // namespace

TrackerHarness::TrackerHarness(std::initializer_list<Property> properties, const char* factory)
    : TrackerHarness(factory, std::vector<Property>(properties)) {}

TrackerHarness::TrackerHarness(const char* factory, const std::vector<Property>& properties)
    : element_(make_element(factory)), bus_(gst_bus_new()) {
  gst_element_set_bus(element_.get(), bus_.get());
  for (const auto& [name, value] : properties) set(name, value);
  harness_ = gst_harness_new_with_element(element_.get(), "sink", "src");
}

TrackerHarness::~TrackerHarness() {
  gst_harness_teardown(harness_);
  gst_element_set_bus(element_.get(), nullptr);
}

void TrackerHarness::set(const std::string& property, const std::string& value) {
  gst_util_set_object_arg(object(), property.c_str(), value.c_str());
}

void TrackerHarness::set_caps(int width, int height, GstVideoFormat format) {
  gst_harness_set_src_caps(harness_, caps_from(caps_text(width, height, format)).release());
}

GstFlowReturn TrackerHarness::push(BufferPtr buffer) {
  if (GST_BUFFER_PTS(buffer.get()) == GST_CLOCK_TIME_NONE) {
    GST_BUFFER_PTS(buffer.get()) = next_;
    GST_BUFFER_DURATION(buffer.get()) = kFrameTime;
  }
  next_ = GST_BUFFER_PTS(buffer.get()) + kFrameTime;
  return gst_harness_push(harness_, buffer.release());
}

GstFlowReturn TrackerHarness::push(const Image& picture, GstVideoFormat format) {
  return push(make_buffer(picture, format));
}

BufferPtr TrackerHarness::pass(BufferPtr buffer) {
  return push(std::move(buffer)) == GST_FLOW_OK ? pull() : nullptr;
}

BufferPtr TrackerHarness::pass(const Image& picture, GstVideoFormat format) {
  return pass(make_buffer(picture, format));
}

BufferPtr TrackerHarness::pull() { return BufferPtr(gst_harness_try_pull(harness_)); }

void TrackerHarness::push_event(GstEvent* event) {
  EXPECT_TRUE(gst_harness_push_event(harness_, event));
}

std::vector<MessagePtr> TrackerHarness::messages(GstMessageType type) {
  std::vector<MessagePtr> found;
  while (GstMessage* message = gst_bus_pop(bus_.get())) {
    MessagePtr owner(message);
    if (GST_MESSAGE_TYPE(message) == type) found.push_back(std::move(owner));
  }
  return found;
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

std::vector<std::string> TrackerHarness::texts(GstMessageType type) {
  std::vector<std::string> found;
  for (const MessagePtr& message : messages(type)) found.push_back(text_of(message));
  return found;
}

StructurePtr TrackerHarness::stats() {
  GstStructure* structure = nullptr;
  g_object_get(object(), "stats", &structure, nullptr);
  return StructurePtr(structure);
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
    double x = 0, y = 0, width = 0, height = 0;
    EXPECT_TRUE(params != nullptr &&
                gst_structure_get(params, "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "width",
                                  G_TYPE_DOUBLE, &width, "height", G_TYPE_DOUBLE, &height,
                                  nullptr));
    found.push_back({static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
                     static_cast<float>(height)});
  }
  return found;
}

std::string state_of(const StructurePtr& message) {
  const char* state = gst_structure_get_string(message.get(), "state");
  return state != nullptr ? state : "";
}

guint64 id_of(const StructurePtr& message) {
  guint64 id = 0;
  gst_structure_get_uint64(message.get(), "id", &id);
  return id;
}

}  // namespace cltrack::test
