// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish_harness.h"

#include <sstream>
#include <stdexcept>

#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

constexpr GstClockTime kSurely = 60 * GST_SECOND;

}  // namespace

// The harness starts what it is given, so that is something that starts.
PublishHarness::PublishHarness(const std::string& properties)
    : element_(gst_parse_launch("trackpublish location=/dev/null", nullptr)), bus_(gst_bus_new()) {
  if (!element_) {
    throw std::runtime_error("no element trackpublish: GST_PLUGIN_PATH_1_0 must name its folder");
  }
  gst_object_ref_sink(element_.get());
  harness_ = gst_harness_new_with_element(element_.get(), "sink", "src");
  gst_element_set_state(element(), GST_STATE_NULL);
  gst_element_set_bus(element_.get(), bus_.get());
  g_object_set(element(), "location", nullptr, nullptr);
  std::istringstream words(properties);
  for (std::string word; words >> word;) {
    const std::size_t sign = word.find('=');
    gst_util_set_object_arg(G_OBJECT(element()), word.substr(0, sign).c_str(),
                            word.substr(sign + 1).c_str());
  }
}

PublishHarness::~PublishHarness() {
  gst_harness_teardown(harness_);
  gst_element_set_bus(element_.get(), nullptr);
}

bool PublishHarness::start() {
  if (gst_element_set_state(element(), GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) return false;
  gst_harness_set_src_caps_str(harness_, "video/x-raw,format=GRAY8,width=320,height=240");
  return true;
}

BufferPtr PublishHarness::pass(const std::vector<Track>& tracks) {
  GstBuffer* buffer = gst_buffer_new();
  GST_BUFFER_PTS(buffer) = next_;
  next_ += 40 * GST_MSECOND;
  gst::write_tracks(buffer, tracks, {"tracker", "tld"}, 320, 240);
  if (gst_harness_push(harness_, buffer) != GST_FLOW_OK) return nullptr;
  return BufferPtr(gst_harness_try_pull(harness_));
}

void PublishHarness::pass_pictures(int count) {
  Track track;
  track.id = 7;
  track.label = "car";
  track.box = {10, 20, 32, 24};
  track.confidence = 0.5f;
  track.state = TrackState::tracking;
  for (int i = 0; i < count; ++i) pass({track});
}

StructurePtr PublishHarness::stats() {
  GstStructure* stats = nullptr;
  g_object_get(element(), "stats", &stats, nullptr);
  return StructurePtr(stats);
}

guint64 PublishHarness::stat(const char* name) {
  guint64 value = 0;
  gst_structure_get_uint64(stats().get(), name, &value);
  return value;
}

bool PublishHarness::is_connected() {
  gboolean value = FALSE;
  gst_structure_get_boolean(stats().get(), "connected", &value);
  return value;
}

StructurePtr PublishHarness::wait_for(const std::string& name,
                                      const std::function<bool(const GstStructure*)>& condition) {
  const gint64 until = g_get_monotonic_time() + static_cast<gint64>(kSurely / GST_USECOND);
  while (g_get_monotonic_time() < until) {
    const MessagePtr message{
        gst_bus_timed_pop_filtered(bus_.get(), GST_SECOND, GST_MESSAGE_ELEMENT)};
    if (!message || !gst_message_has_name(message.get(), name.c_str())) continue;
    const GstStructure* structure = gst_message_get_structure(message.get());
    if (condition(structure)) return StructurePtr(gst_structure_copy(structure));
  }
  return nullptr;
}

StructurePtr PublishHarness::wait_for_connection(const std::string& state) {
  return wait_for("trackpublish-connection", [&](const GstStructure* structure) {
    return state == gst_structure_get_string(structure, "state");
  });
}

std::vector<std::string> PublishHarness::texts() {
  constexpr auto kBoth =
      static_cast<GstMessageType>(int{GST_MESSAGE_ERROR} | int{GST_MESSAGE_WARNING});
  std::vector<std::string> found;
  while (const MessagePtr message{gst_bus_pop_filtered(bus_.get(), kBoth)}) {
    found.push_back(text_of(message));
  }
  return found;
}

}  // namespace cltrack::test
