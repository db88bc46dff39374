// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/mouse.h"

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

}  // namespace cltrack::gst
