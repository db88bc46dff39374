// SPDX-License-Identifier: LGPL-2.1-or-later
// What trackoverlay shows of the mouse: the box that is being dragged, and the track that was
// chosen last. It looks at the events that the tracking element upstream is going to take.
//
// Threading: see() on any thread, the others on the streaming thread or the one that stops it.
#pragma once

#include <gst/gst.h>

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "control/navigation_input.h"
#include "metadata/track_meta.h"
#include "overlay/overlay_scene.h"

namespace cltrack::gst {

class OverlayPointer {
 public:
  void see(GstEvent* event);

  // What to show on a picture with these regions. A choice holds until another is made or the track
  // is not among them.
  PointerMarks marks(std::span<const TrackRegion> regions);

  // Nothing is dragged or chosen any more.
  void forget();

 private:
  NavigationInput input_;

  std::mutex mutex_;
  std::optional<MousePoint> click_;  // since the picture before

  std::optional<std::pair<int, std::string>> chosen_;  // id and label
};

}  // namespace cltrack::gst
