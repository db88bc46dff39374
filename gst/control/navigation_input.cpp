// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/navigation_input.h"

#include <cmath>

namespace cltrack::gst {
namespace {

// GST_NAVIGATION_MODIFIER_BUTTON1_MASK, from GStreamer 1.22 on.
constexpr guint kLeftIsDown = 1u << 8;

std::string_view text_of(const GstStructure* fields, const char* name) {
  const char* text = gst_structure_get_string(fields, name);
  return text != nullptr ? text : "";
}

std::optional<MousePoint> point_of(const GstStructure* fields) {
  MousePoint point;
  const bool has_both = gst_structure_get_double(fields, "pointer_x", &point.x) &&
                        gst_structure_get_double(fields, "pointer_y", &point.y);
  if (!has_both || !std::isfinite(point.x) || !std::isfinite(point.y)) return std::nullopt;
  return point;
}

std::optional<MouseButton> button_of(const GstStructure* fields) {
  gint button = 0;
  gst_structure_get_int(fields, "button", &button);
  if (button == 1) return MouseButton::left;
  if (button == 3) return MouseButton::right;
  return std::nullopt;
}

// Events have no such field before GStreamer 1.22.
std::optional<bool> left_is_down(const GstStructure* fields) {
  const GValue* state = gst_structure_get_value(fields, "state");
  if (state == nullptr || !G_VALUE_HOLDS_FLAGS(state)) return std::nullopt;
  return (g_value_get_flags(state) & kLeftIsDown) != 0;
}

}  // namespace

MouseAction NavigationInput::see_button(std::string_view event, const GstStructure* fields) {
  const std::optional<MousePoint> point = point_of(fields);
  if (!point) return {};
  if (event == "mouse-move") {
    // A mouse that moves with the finger is not one that has lost its button.
    return mouse_.move(*point, finger_ ? std::nullopt : left_is_down(fields));
  }
  const std::optional<MouseButton> button = button_of(fields);
  if (!button) return {};
  if (button == MouseButton::left) finger_.reset();
  return event == "mouse-button-press" ? mouse_.press(*button, *point)
                                       : mouse_.release(*button, *point);
}

MouseAction NavigationInput::see_touch(std::string_view event, const GstStructure* fields) {
  guint identifier = 0;
  const std::optional<MousePoint> point = point_of(fields);
  if (!point || !gst_structure_get_uint(fields, "identifier", &identifier)) return {};
  if (event == "touch-down") {
    // Two fingers are a gesture of another kind. Or else the end of the first touch got lost.
    const bool is_second = finger_ && finger_ != identifier;
    finger_.reset();
    if (is_second) {
      mouse_.cancel();
      return {};
    }
    finger_ = identifier;
    return mouse_.press(MouseButton::left, *point);
  }
  if (finger_ != identifier) return {};
  if (event == "touch-motion") return mouse_.move(*point, std::nullopt);
  finger_.reset();
  return mouse_.release(MouseButton::left, *point);
}

MouseAction NavigationInput::see(GstEvent* event) {
  const GstStructure* fields = gst_event_get_structure(event);
  if (GST_EVENT_TYPE(event) != GST_EVENT_NAVIGATION || fields == nullptr) return {};
  const std::string_view name = text_of(fields, "event");
  const std::lock_guard lock(mutex_);
  if (name == "mouse-button-press" || name == "mouse-button-release" || name == "mouse-move") {
    return see_button(name, fields);
  }
  if (name == "touch-down" || name == "touch-motion" || name == "touch-up") {
    return see_touch(name, fields);
  }
  if (name == "key-press" && text_of(fields, "key") == "Escape") return mouse_.cancel();
  if (name == "touch-cancel" && finger_) {
    finger_.reset();
    mouse_.cancel();  // others may have fingers, too
  }
  return {};
}

std::optional<BoundingBox> NavigationInput::band() const {
  const std::lock_guard lock(mutex_);
  return mouse_.band();
}

void NavigationInput::reset() {
  const std::lock_guard lock(mutex_);
  mouse_ = {};
  finger_.reset();
}

}  // namespace cltrack::gst
