// SPDX-License-Identifier: LGPL-2.1-or-later
// The marks of the mouse in trackoverlay: the box that is being dragged, and the track that was
// chosen last. It looks at the events that the tracking element upstream is going to take.
//
// Threading: observe() on any thread, the others on the streaming thread or the one that stops it.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "control/navigation_input.h"
#include "metadata/track_history.h"
#include "metadata/track_messages.h"
#include "metadata/track_meta.h"
#include "overlay/overlay_blend.h"
#include "overlay/overlay_scene.h"
#include "overlay/region_cover.h"
#include "properties/overlay_settings.h"
#include "stream/stream_time.h"

namespace cltrack::gst {

class OverlayPointer {
 public:
  void observe(GstEvent* event);

  // The marks to show on a picture with these regions. A click sets `chosen`, and so may others at
  // any time. The choice of a click holds until another one is made or the track is not among the
  // regions.
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

// The processing of trackoverlay: reads the regions of each buffer, keeps those that are lost,
// hides what is to be hidden, and draws or attaches the rest.
//
// Threading: the streaming thread, or the one that stops it; observe_pointer() on any.
class OverlayStream {
 public:
  OverlayStream() { gst_video_info_init(&info_); }

  // The ways to show something on pictures.
  struct Target {
    bool attaches;    // lines and tags; or else they are drawn
    bool has_pixels;  // that can be changed
  };
  // Pictures of a new size are those of the same scene, resized.
  void set_info(const GstVideoInfo& info, const Target& target);

  void observe_event(GstEvent* event) { stream_time_.observe_event(event); }
  void forget(const RemovedTrack& track) { history_.remove(track); }
  // At the stop.
  void forget(const OverlaySettings& settings);

  // A navigation event, if the settings say that they are looked at.
  void observe_pointer(GstEvent* event) { pointer_.observe(event); }

  // May throw.
  void process(GstBaseTransform* element, GstBuffer* buffer, const OverlaySettings& settings);

 private:
  // A limit for a long lost-time, long trails and many ids.
  static constexpr std::size_t kMostRegions = 256;

  std::vector<OverlayPatch> build(GstBaseTransform* element, std::span<const TrackRegion> shown,
                                  std::span<const ZoneNews> news, const OverlaySettings& settings);
  // Posts what is wrong with the settings, once.
  void tell_problems(GstBaseTransform* element, const OverlaySettings& settings, bool hides);
  void draw(GstBaseTransform* element, GstBuffer* buffer, std::span<const PixelRect> covers,
            MosaicLook look, std::span<const OverlayPatch> patches) const;

  GstVideoInfo info_;  // of the pictures; its format is unknown before the first caps
  Target target_{};
  unsigned reported_refusal_ = 0;  // number of the latest one that was reported
  bool told_fill_ = false;         // that regions are filled
  StreamTime stream_time_;
  TrackHistory history_{RegionKind::numbered, kMostRegions};
  OverlayPointer pointer_;
  ZoneMarks zone_marks_;
  OverlayScene scene_;
};

}  // namespace cltrack::gst
