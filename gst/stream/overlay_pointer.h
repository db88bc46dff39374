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

#include "control/navigation_input.h"
#include "metadata/track_meta.h"
#include "overlay/overlay_scene.h"
#include "properties/overlay_settings.h"

namespace cltrack::gst {

class OverlayPointer {
 public:
  void see(GstEvent* event);

  // What to show on a picture with these regions. A click sets `chosen`, and so may others at any
  // time. What a click has chosen holds until
  // another choice is made or the track is not among the regions.
  PointerMarks marks(std::span<const TrackRegion> regions, ChosenTrack& chosen);

  // Nothing is dragged any more, and what a click has chosen is not chosen any more.
  void forget(ChosenTrack& chosen);

 private:
  // The choice of a click ends, unless another has been made since.
  void drop_clicked(ChosenTrack& chosen);

  NavigationInput input_;

  std::mutex mutex_;
  std::optional<MousePoint> click_;  // since the picture before

  struct Click {
    ChosenTrack::Value value;
    TrackKey key;
  };
  std::optional<Click> clicked_;
};

}  // namespace cltrack::gst
