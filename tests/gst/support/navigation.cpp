// SPDX-License-Identifier: LGPL-2.1-or-later
#include "navigation.h"

#include <gst/video/video.h>

namespace cltrack::test {
namespace {

GstEvent* pointer_event(const char* event, double x, double y, std::optional<bool> held) {
  GstStructure* fields =
      gst_structure_new("application/x-gst-navigation", "event", G_TYPE_STRING, event, "pointer_x",
                        G_TYPE_DOUBLE, x, "pointer_y", G_TYPE_DOUBLE, y, nullptr);
  if (held) {
#if GST_CHECK_VERSION(1, 22, 0)
    const GType type = GST_TYPE_NAVIGATION_MODIFIER_TYPE;
#else
    const GType type = GST_TYPE_BUFFER_FLAGS;  // any type of flags
#endif
    gst_structure_set(fields, "state", type, *held ? 1 << 8 : 0, nullptr);
  }
  return gst_event_new_navigation(fields);
}

GstEvent* with_button(GstEvent* event, int button) {
  gst_structure_set(gst_event_writable_structure(event), "button", G_TYPE_INT, button, nullptr);
  return event;
}

}  // namespace

GstEvent* mouse_press(int button, double x, double y, std::optional<bool> held) {
  return with_button(pointer_event("mouse-button-press", x, y, held), button);
}

GstEvent* mouse_move(double x, double y, std::optional<bool> held) {
  return pointer_event("mouse-move", x, y, held);
}

GstEvent* mouse_release(int button, double x, double y, std::optional<bool> held) {
  return with_button(pointer_event("mouse-button-release", x, y, held), button);
}

GstEvent* touch(const std::string& what, unsigned identifier, double x, double y) {
  GstEvent* event = pointer_event(("touch-" + what).c_str(), x, y, {});
  gst_structure_set(gst_event_writable_structure(event), "identifier", G_TYPE_UINT, identifier,
                    nullptr);
  return event;
}

GstEvent* touch_cancel() {
  return gst_event_new_navigation(gst_structure_new("application/x-gst-navigation", "event",
                                                    G_TYPE_STRING, "touch-cancel", nullptr));
}

GstEvent* key_press(const char* key) {
  return gst_event_new_navigation(gst_structure_new("application/x-gst-navigation", "event",
                                                    G_TYPE_STRING, "key-press", "key",
                                                    G_TYPE_STRING, key, nullptr));
}

bool drag(GstHarness* harness, double from_x, double from_y, double to_x, double to_y) {
  const bool pressed = gst_harness_push_upstream_event(harness, mouse_press(1, from_x, from_y));
  const bool moved = gst_harness_push_upstream_event(harness, mouse_move(to_x, to_y));
  const bool released = gst_harness_push_upstream_event(harness, mouse_release(1, to_x, to_y));
  return pressed && moved && released;
}

bool click(GstHarness* harness, int button, double x, double y) {
  const bool pressed = gst_harness_push_upstream_event(harness, mouse_press(button, x, y));
  const bool released = gst_harness_push_upstream_event(harness, mouse_release(button, x, y));
  return pressed && released;
}

int navigation_events_upstream(GstHarness* harness) {
  int count = 0;
  while (GstEvent* event = gst_harness_try_pull_upstream_event(harness)) {
    count += GST_EVENT_TYPE(event) == GST_EVENT_NAVIGATION;
    gst_event_unref(event);
  }
  return count;
}

}  // namespace cltrack::test
