// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control.h"

#include <gtest/gtest.h>

namespace cltrack::test {
namespace {

constexpr const char* kEvent = "cltrack-control";

std::string text(const GstStructure* structure, const char* field) {
  const char* value = gst_structure_get_string(structure, field);
  EXPECT_NE(value, nullptr) << field;
  return value != nullptr ? value : "";
}

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
    Answer answer{.action = text(structure, "action"),
                  .label = text(structure, "label"),
                  .source = text(structure, "source"),
                  .reason = text(structure, "reason")};
    EXPECT_TRUE(gst_structure_get_uint64(structure, "id", &answer.id));
    gst_structure_get_int64(structure, "request", &answer.request);
    EXPECT_TRUE(gst_structure_get_uint64(structure, "timestamp", &answer.timestamp));
    EXPECT_TRUE(gst_structure_get_uint64(structure, "running-time", &answer.running_time));
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
