// SPDX-License-Identifier: LGPL-2.1-or-later
// One trackoverlay between a source and a sink of the test, with a bus.
#pragma once

#include <gst/check/gstharness.h>

#include <string>
#include <vector>

#include "gst_ptr.h"
#include "metadata/track_meta.h"
#include "video_picture.h"

namespace cltrack::test {

inline constexpr GstClockTime kFrameDuration = 40 * GST_MSECOND;
inline constexpr BoundingBox kBox{100, 80, 60, 50};

class OverlayHarness {
 public:
  // What gst-launch would take behind "trackoverlay".
  explicit OverlayHarness(const std::string& properties = "");
  ~OverlayHarness();
  OverlayHarness(const OverlayHarness&) = delete;
  OverlayHarness& operator=(const OverlayHarness&) = delete;

  GstHarness* get() { return harness_; }
  GstElement* element() { return element_.get(); }

  // From now on the sink takes compositions, by its caps and in its answers to ALLOCATION queries.
  void take_compositions(bool by_caps, bool by_allocation);

  void set_caps(const GstVideoInfo& info);
  const GstVideoInfo& info() const { return info_; }

  // Pushes with the next timestamp, unless the buffer has one; null if nothing came out.
  BufferPtr pass(BufferPtr buffer);

  // Passes a picture with `regions`; whether any of its pixels came out another than it went in.
  bool draws(const std::vector<Track>& tracks);

  std::vector<std::string> texts(GstMessageType type);
  CapsPtr source_caps();
  void set_next_time(GstClockTime time) { next_ = time; }

 private:
  ElementPtr element_;
  BusPtr bus_;
  GstHarness* harness_;
  GstVideoInfo info_;
  GstClockTime next_ = 0;
};

Track make_track(std::uint64_t id, const BoundingBox& box, TrackState state = TrackState::tracking,
                 const std::string& label = "thing");

void add_tracks(const BufferPtr& buffer, const GstVideoInfo& info,
                const std::vector<Track>& tracks);

// A region such as a detector leaves: no params.
void add_region(const BufferPtr& buffer, const char* label, int id, guint x, guint y, guint width,
                guint height);

}  // namespace cltrack::test
