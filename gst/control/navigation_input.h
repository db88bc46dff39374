// SPDX-License-Identifier: LGPL-2.1-or-later
// Pointer and navigation events as commands: drag a box, choose, remove.
#pragma once

#include <gst/gst.h>

#include <mutex>
#include <optional>
#include <string_view>

#include "cltrack/bounding_box.h"

namespace cltrack::gst {

// The meaning of a pointer for targets: the left button drags a box or chooses, the right one
// removes. Knows neither windows nor events. Points are in pixels of the picture.
//
// Threading: one thread at a time.

struct MousePoint {
  double x = 0;
  double y = 0;
};

enum class MouseButton { left, right };

// The action that an event asks for.
struct MouseAction {
  enum class Kind {
    pass,    // it is for others
    taken,   // nothing, but others must not see it
    add,     // a target in `box`
    choose,  // the target at `point`
    remove,  // the target at `point`; if there is none, the event is for others
  };
  Kind kind = Kind::pass;
  BoundingBox box = {};
  MousePoint point = {};
};

class Mouse {
 public:
  // A press of the left button begins a drag, and ends one whose release got lost. While it goes
  // on, the right button is for others.
  MouseAction press(MouseButton button, const MousePoint& point);

  // `held`: whether the left button is down, empty if that is not known.
  //
  // A drag ends when it is up without a release, which got lost. Of senders that always say so
  // (glimagesink) that tells nothing: it counts after a move on which the button was down. And the
  // move may have overtaken the release (ximagesink sends the latest move of some 50 ms before the
  // buttons of that time): so it takes two.
  MouseAction move(const MousePoint& point, std::optional<bool> held);

  // The end of the drag: a target, or a choice if the box has both sides under kMinimumBoxSide.
  MouseAction release(MouseButton button, const MousePoint& point);

  // Ends the drag without a target; the release that follows is still taken.
  MouseAction cancel();

  // The box that has been dragged so far; empty if there is none, or it would only choose.
  std::optional<BoundingBox> band() const;

 private:
  enum class State { idle, dragging, doubtful, cancelled };
  BoundingBox dragged() const;

  State state_ = State::idle;
  MousePoint begin_;
  MousePoint end_;
  bool tells_held_ = false;  // the sender says when the button is down
};

// From navigation events, which video sinks send upstream, to what the pointer wants: buttons 1 and
// 3 of the mouse, a finger as button 1, the key Escape. Their points are in pixels of the element's
// own picture, because each element downstream has translated them.
//
// The fields of the structure are read here and not by GstNavigation's functions, which know
// coordinates of touches and modifiers from GStreamer 1.22 on only.
//
// Threading: any.
class NavigationInput {
 public:
  // The meaning of an event; `pass` for events of other types.
  MouseAction read(GstEvent* event);

  // See Mouse.
  std::optional<BoundingBox> band() const;

  // Ends a drag, and forgets what senders were like.
  void reset();

 private:
  MouseAction observe_button(std::string_view event, const GstStructure* fields);
  MouseAction observe_touch(std::string_view event, const GstStructure* fields);

  mutable std::mutex mutex_;
  Mouse mouse_;
  std::optional<guint> finger_;  // that drags
};

}  // namespace cltrack::gst
