// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish_harness.h"

#include <sstream>

#include "metadata/track_meta.h"

namespace cltrack::test {

Track car(std::uint64_t id, TrackState state) {
  return {.id = id, .label = "car", .box = {10, 20, 32, 24}, .confidence = 0.5f, .state = state};
}

// The harness starts what it is given, so that is something that starts.
PublishHarness::PublishHarness(const std::string& properties)
    : ElementHarness("trackpublish location=/dev/null") {
  stop();
  messages(GST_MESSAGE_ANY);
  g_object_set(element(), "location", nullptr, nullptr);
  std::istringstream words(properties);
  for (std::string word; words >> word;) {
    const std::size_t sign = word.find('=');
    set(word.substr(0, sign), word.substr(sign + 1));
  }
}

bool PublishHarness::start() {
  if (set_state(GST_STATE_PLAYING) == GST_STATE_CHANGE_FAILURE) return false;
  gst_harness_set_src_caps_str(get(), "video/x-raw,format=GRAY8,width=320,height=240");
  return true;
}

BufferPtr PublishHarness::pass(const std::vector<Track>& tracks) {
  BufferPtr buffer(gst_buffer_new());
  gst::write_tracks(buffer.get(), tracks, {"tracker", "tld"}, 320, 240);
  return ElementHarness::pass(std::move(buffer));
}

void PublishHarness::pass_pictures(int count) {
  for (int i = 0; i < count; ++i) pass({car()});
}

bool PublishHarness::is_connected() {
  gboolean value = FALSE;
  gst_structure_get_boolean(stats().get(), "connected", &value);
  return value;
}

StructurePtr PublishHarness::wait_for(const std::string& name,
                                      const std::function<bool(const GstStructure*)>& condition) {
  const gint64 until = g_get_monotonic_time() + static_cast<gint64>(60 * GST_SECOND / GST_USECOND);
  while (g_get_monotonic_time() < until) {
    const MessagePtr message{gst_bus_timed_pop_filtered(bus(), GST_SECOND, GST_MESSAGE_ELEMENT)};
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

StructurePtr PublishHarness::wait_for_dropped() {
  return wait_for("trackpublish-dropped", [](const GstStructure*) { return true; });
}

}  // namespace cltrack::test
