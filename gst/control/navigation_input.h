// SPDX-License-Identifier: LGPL-2.1-or-later
// From navigation events, which video sinks send upstream, to what the pointer wants: buttons 1 and
// 3 of the mouse, a finger as button 1, the key Escape. Their points are in pixels of the element's
// own picture, because each element downstream has translated them.
//
// The fields of the structure are read here and not by GstNavigation's functions, which know
// coordinates of touches and modifiers from GStreamer 1.22 on only.
//
// Threading: any.
#pragma once

#include <gst/gst.h>

#include <mutex>
#include <optional>
#include <string_view>

#include "control/mouse.h"

namespace cltrack::gst {

class NavigationInput {
 public:
  // What an event means; `pass` for events of other types.
  MouseAction see(GstEvent* event);

  // See Mouse.
  std::optional<BoundingBox> band() const;

  // Ends a drag, and forgets what senders were like.
  void reset();

 private:
  MouseAction see_button(std::string_view event, const GstStructure* fields);
  MouseAction see_touch(std::string_view event, const GstStructure* fields);

  mutable std::mutex mutex_;
  Mouse mouse_;
  std::optional<guint> finger_;  // that drags
};

}  // namespace cltrack::gst
