// SPDX-License-Identifier: LGPL-2.1-or-later
// One trackoverlay between a source and a sink of the test, with a bus.
#pragma once

#include <string>
#include <vector>

#include "tracker_harness.h"
#include "video_picture.h"

namespace cltrack::test {

inline constexpr BoundingBox kBox{100, 80, 60, 50};

class OverlayHarness : public ElementHarness {
 public:
  // What gst-launch would take behind "trackoverlay".
  explicit OverlayHarness(const std::string& properties = "");
  // With caps of 320x240.
  OverlayHarness(const std::string& properties, GstVideoFormat format);

  // From now on the sink takes compositions, by its caps and in its answers to ALLOCATION queries.
  void take_compositions(bool by_caps = true, bool by_allocation = true);

  void set_caps(const GstVideoInfo& info);
  const GstVideoInfo& info() const { return info_; }

  // A picture of such caps with these tracks.
  BufferPtr picture(const std::vector<Track>& tracks = {}) const;
  // What its pixels are behind the element.
  Pixels drawn(BufferPtr picture);
  // Whether any of them came out another than it went in.
  bool draws(const std::vector<Track>& tracks);

  CapsPtr source_caps();

 private:
  GstVideoInfo info_;
};

Track make_track(std::uint64_t id, const BoundingBox& box, TrackState state = TrackState::tracking,
                 const std::string& label = "thing");

void add_tracks(const BufferPtr& buffer, const GstVideoInfo& info,
                const std::vector<Track>& tracks);

// A region such as a detector leaves: no params.
void add_region(const BufferPtr& buffer, const char* label, int id, guint x, guint y, guint width,
                guint height);

}  // namespace cltrack::test
