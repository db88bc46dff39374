// SPDX-License-Identifier: LGPL-2.1-or-later
// The interface between a TrackStream and its element.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cltrack/tracker.h"
#include "control/target_set.h"
#include "detections/detection.h"

namespace cltrack::gst {

// The frame that a tracker is about to get.
struct FrameContext {
  int width;                          // pixels
  int height;                         // pixels
  bool first;                         // nothing has left the element since it was started
  bool may_learn;                     // false for a picture that its decoder has marked as damaged
  const char* algorithm;              // as in the class; a subclass that has several says which
  std::vector<std::string> warnings;  // filled by the subclass, posted as warnings of the element
  std::vector<std::string> tracker_warnings;  // the tracker's own, posted as well
  TargetSet& targets;                         // in which the subclass puts what is set
  DetectionSettings detections = {};          // what is done with regions from upstream
  SearchRegion search = {};                   // where they count
};

// Threading: the streaming thread. Members may throw, and must post no message.
class StreamTracker {
 public:
  virtual ~StreamTracker() = default;

  // A tracker for a stream that begins.
  virtual std::unique_ptr<Tracker> make_tracker() = 0;

  // Applies what properties say.
  virtual void prepare(Tracker& tracker, FrameContext& context) = 0;

  // What is written into the metadata.
  virtual const char* algorithm() const = 0;
  // Frames need Frame::color, and not Frame::luma.
  virtual bool looks_at_color() const = 0;
};

}  // namespace cltrack::gst
