// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/navigation_input.h"

#include <algorithm>
#include <cmath>

#include "cltrack/tracker.h"

namespace cltrack::gst {
namespace {

using Kind = MouseAction::Kind;

bool only_chooses(const BoundingBox& box) {
  return std::max(box.width, box.height) < kMinimumBoxSide;
}

}  // namespace

BoundingBox Mouse::dragged() const {
  return {static_cast<float>(std::min(begin_.x, end_.x)),
          static_cast<float>(std::min(begin_.y, end_.y)),
          static_cast<float>(std::abs(end_.x - begin_.x)),
          static_cast<float>(std::abs(end_.y - begin_.y))};
}

MouseAction Mouse::press(MouseButton button, const MousePoint& point) {
  if (button == MouseButton::right) {
    const bool drags = state_ == State::dragging || state_ == State::doubtful;
    return drags ? MouseAction{} : MouseAction{.kind = Kind::remove, .point = point};
  }
  state_ = State::dragging;
  begin_ = end_ = point;
  return {.kind = Kind::taken};
}

MouseAction Mouse::move(const MousePoint& point, std::optional<bool> held) {
  if (held == true) tells_held_ = true;
  const bool is_up = held == false && tells_held_;
  switch (state_) {
    case State::idle:
      return {};
    case State::cancelled:
      if (is_up) state_ = State::idle;
      return {};
    case State::doubtful:
      if (is_up) {
        state_ = State::idle;
        return {};
      }
      break;
    case State::dragging:
      if (is_up) {
        state_ = State::doubtful;
        return {.kind = Kind::taken};
      }
  }
  state_ = State::dragging;
  end_ = point;
  return {.kind = Kind::taken};
}

MouseAction Mouse::release(MouseButton button, const MousePoint& point) {
  if (button == MouseButton::right || state_ == State::idle) return {};
  const bool was_cancelled = state_ == State::cancelled;
  state_ = State::idle;
  if (was_cancelled) return {.kind = Kind::taken};
  end_ = point;
  const BoundingBox box = dragged();
  if (only_chooses(box)) return {.kind = Kind::choose, .point = begin_};
  return {.kind = Kind::add, .box = box};
}

MouseAction Mouse::cancel() {
  if (state_ != State::dragging && state_ != State::doubtful) return {};
  state_ = State::cancelled;
  return {.kind = Kind::taken};
}

std::optional<BoundingBox> Mouse::band() const {
  if (state_ != State::dragging || only_chooses(dragged())) return std::nullopt;
  return dragged();
}

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

MouseAction NavigationInput::observe_button(std::string_view event, const GstStructure* fields) {
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

MouseAction NavigationInput::observe_touch(std::string_view event, const GstStructure* fields) {
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

MouseAction NavigationInput::read(GstEvent* event) {
  const GstStructure* fields = gst_event_get_structure(event);
  if (GST_EVENT_TYPE(event) != GST_EVENT_NAVIGATION || fields == nullptr) return {};
  const std::string_view name = text_of(fields, "event");
  const std::lock_guard lock(mutex_);
  if (name == "mouse-button-press" || name == "mouse-button-release" || name == "mouse-move") {
    return observe_button(name, fields);
  }
  if (name == "touch-down" || name == "touch-motion" || name == "touch-up") {
    return observe_touch(name, fields);
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
