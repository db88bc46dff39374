// SPDX-License-Identifier: LGPL-2.1-or-later
// The processing of trackoverlay: reads the regions of each buffer, keeps those that are lost, and
// draws or attaches them.
//
// Threading: the streaming thread, or the one that stops it; see_pointer() on any.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/video/video.h>

#include <optional>
#include <vector>

#include "metadata/removed_event.h"
#include "overlay/lost_boxes.h"
#include "overlay/overlay_blend.h"
#include "overlay/overlay_scene.h"
#include "properties/overlay_settings.h"
#include "stream/overlay_pointer.h"

namespace cltrack::gst {

// When the buffer is shown, in the time of the element's stream; nothing if that is not known.
std::optional<guint64> stream_time_of(const GstBaseTransform* element, const GstBuffer* buffer);

class OverlayStream {
 public:
  OverlayStream() { gst_video_info_init(&info_); }

  // Pictures of a new size are those of the same scene, resized. `attaches`: or else draws.
  void set_info(const GstVideoInfo& info, bool attaches);

  // What was lost before is not to be found again.
  void forget_lost() { lost_boxes_.reset(); }
  void forget(const RemovedTrack& track) { lost_boxes_.forget(track.region_id, track.label); }
  // At the stop.
  void forget();

  // A navigation event, if the settings say that they are looked at.
  void see_pointer(GstEvent* event) { pointer_.see(event); }

  // May throw.
  void process(GstBaseTransform* element, GstBuffer* buffer, const OverlaySettings& settings);

 private:
  LostBoxes::FrameTime frame_time(const GstBaseTransform* element, const GstBuffer* buffer) const;
  void blend(GstBaseTransform* element, GstBuffer* buffer,
             const std::vector<OverlayPatch>& patches) const;

  GstVideoInfo info_;  // of the pictures; its format is unknown before the first caps
  bool attaches_ = false;
  LostBoxes lost_boxes_;
  OverlayPointer pointer_;
  OverlayScene scene_;
};

}  // namespace cltrack::gst
