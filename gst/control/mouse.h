// SPDX-License-Identifier: LGPL-2.1-or-later
// What a pointer says about targets: the left button drags a box or chooses, the right one removes.
// Knows neither windows nor events. Points are in pixels of the picture.
//
// Threading: one thread at a time.
#pragma once

#include <optional>

#include "cltrack/bounding_box.h"

namespace cltrack::gst {

struct MousePoint {
  double x = 0;
  double y = 0;
};

enum class MouseButton { left, right };

// What is to be done with an event.
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

  // What has been dragged so far; empty if that is nothing, or would only choose.
  std::optional<BoundingBox> band() const;

 private:
  enum class State { idle, dragging, doubtful, cancelled };
  BoundingBox dragged() const;

  State state_ = State::idle;
  MousePoint begin_;
  MousePoint end_;
  bool tells_held_ = false;  // the sender says when the button is down
};

}  // namespace cltrack::gst
