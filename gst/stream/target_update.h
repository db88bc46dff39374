// SPDX-License-Identifier: LGPL-2.1-or-later
// Between a TrackStream and its element: the tracker to make, and targets to set on it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"
#include "control/target_control.h"
#include "detections/detection.h"

namespace cltrack::gst {

// The interface between a TrackStream and its element.

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
};

// Threading: the streaming thread. Members may throw, and must post no message.
class StreamTracker {
 public:
  virtual ~StreamTracker() = default;

  // A tracker for a stream that begins.
  virtual std::unique_ptr<Tracker> make_tracker() = 0;

  // Applies what properties say.
  virtual void prepare(Tracker& tracker, FrameContext& context) = 0;

  // Those of the tracker; may be null.
  virtual std::shared_ptr<TrackerDevices> devices() const = 0;

  // The name that is written into the metadata.
  virtual const char* algorithm() const = 0;
  // Frames need Frame::color, and not Frame::luma.
  virtual bool uses_color() const = 0;
};

// Adds the targets that were set by a property to a tracker.

enum class OnBadTarget { refuse, leave_out };

// All targets that a property asks for, for a frame of width x height pixels, which is the next one
// of the tracker. One that cannot be tracked there is left out, with a warning, or refused: then
// Error{invalid_argument} is thrown.
class TargetUpdate {
 public:
  TargetUpdate(int width, int height, OnBadTarget on_bad_target,
               std::vector<std::string>& warnings);

  // One that lies partly outside of the frame is clipped, with a warning.
  void add_box(const BoundingBox& box, const std::string& label);
  // Neither clipped: what is around a colour is looked at as well.
  void add_color_box(const BoundingBox& box, const std::string& label);
  void add_color(const ColorModel& model, const std::string& label);
  // `picture` must stay valid until apply(). `property` is what named it.
  void add_picture(const ImageView& picture, const std::string& label, const char* property);

  // Removes the targets `ids`, which the property asked for before, adds these, and leaves their
  // ids in `ids`. Targets of others stay.
  void apply(TargetSet& targets, std::vector<std::uint64_t>& ids) const;

 private:
  struct NewTarget {
    Seed seed;
    std::string label;
    std::string prefix;  // of messages
  };

  void leave_out(const std::string& prefix, const Error& error) const;

  int width_;
  int height_;
  OnBadTarget on_bad_target_;
  std::vector<std::string>& warnings_;
  std::vector<NewTarget> targets_;
};

}  // namespace cltrack::gst
