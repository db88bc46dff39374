// SPDX-License-Identifier: LGPL-2.1-or-later
// Which detection is of which track, which ones start a track, and which tracks nobody detects any
// more. Detections need not come with every picture.
//
// Threading: the streaming thread.
#pragma once

#include <gst/gst.h>

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "control/target_control.h"
#include "detections/detection.h"

namespace cltrack::gst {

class DetectionTracks {
 public:
  // Before the tracker gets a picture, width x height pixels large, so that what detections say
  // acts on this very picture. `pts` is GST_CLOCK_TIME_NONE if there is none: then no track ends
  // for want of detections.
  void before(const DetectionSettings& settings, std::span<const Detection> detections, int width,
              int height, GstClockTime pts, TargetSet& targets, std::vector<std::string>& warnings);

  // After it. Removes tracks that turn out to be of an object that an older one is on.
  void after(std::vector<Track>& tracks, GstClockTime pts, TargetSet& targets);

  // The detection that has confirmed a track on this picture: its index.
  const std::map<std::uint64_t, std::size_t>& confirmed() const { return confirmed_; }

  void reset() { *this = {}; }

 private:
  // Of a track, up to the picture before.
  struct Known {
    std::string label = {};
    BoundingBox box = {};  // the latest one
    bool is_lost = false;
    bool is_ours = false;  // a detection has started it
    bool has_just_started = false;
    bool has_just_returned = false;
    GstClockTime confirmed = GST_CLOCK_TIME_NONE;
    GstClockTime seen = GST_CLOCK_TIME_NONE;
  };

  float gain(const Known& track, const Detection& detection, const DetectionSettings& settings,
             GstClockTime pts) const;
  void match(const DetectionSettings& settings, std::span<const Detection> detections,
             GstClockTime pts);
  void follow(const DetectionSettings& settings, std::span<const Detection> detections,
              GstClockTime pts, TargetSet& targets);
  void start(std::size_t index, const Detection& detection, GstClockTime pts, TargetSet& targets,
             std::vector<std::string>& warnings);
  std::optional<BoundingBox> inside(const BoundingBox& box) const;
  void resize(int width, int height);
  bool is_on_a_track(const Detection& detection) const;
  void end_unconfirmed(const DetectionSettings& settings, GstClockTime pts, TargetSet& targets);

  std::map<std::uint64_t, Known> tracks_;
  std::map<std::uint64_t, std::size_t> confirmed_;
  int width_ = 0, height_ = 0;  // of the picture
  bool is_full_ = false;        // a detection was left out, and that was said
};

}  // namespace cltrack::gst
