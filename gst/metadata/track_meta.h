// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracks as GstVideoRegionOfInterestMeta on buffers.
#pragma once

#include <gst/gst.h>
#include <gst/video/gstvideometa.h>

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"

namespace cltrack::gst {

// The box of a track as metadata has it: inside the frame, in whole pixels.

// The part of the track's box that lies inside the frame; none if it is lost, or nothing does.
std::optional<BoundingBox> visible_box(const Track& track, int frame_width, int frame_height);

struct PixelBox {
  int x, y, width, height;
};

// The nearest pixel edges, but never no pixel at all. `box` is a visible one.
PixelBox to_pixels(const BoundingBox& box, int frame_width, int frame_height);

// The one place that knows how tracks are written on buffers and read back from them.
//
// Written for every track with a box: a GstVideoRegionOfInterestMeta, the box clamped to the frame,
// roi_type = label ("object" if it is empty), id = track id (or another, RegionIds), and as params
// the structures
//   detection  x_min, x_max, y_min, y_max (double, fractions of the frame), confidence (double)
//   object_id  id (int)
//   cltrack    id (uint64), state (string), confidence (double), age (uint64), algorithm (string),
//              tracker (string, the name of the element: each numbers its tracks from 1), label
//              (string, that of the target, whatever a detector calls its region), x, y,
//              width, height (double, pixels, not clamped); where the tracker knows them, area
//              (uint64, pixels), centroid-x, centroid-y (double, pixels), trail (array of doubles:
//              x, y of the first point, and so on; the latest point is the last one)
// A lost track leaves nothing on the buffer. Converters drop the params and keep the rest;
// carried_tracks.h writes ours again. What read_tracks() gives for a region without params is its
// box, label and id alone.

// The id of a track's region: the lower 31 bits of the track's id, never negative, unique for two
// billion targets.
int region_id(std::uint64_t id);
// The type of its region.
const char* label_or_default(const std::string& label);

// Regions of others, by the id of the track that each is of.
using DetectedRegions = std::map<std::uint64_t, GstVideoRegionOfInterestMeta*>;

// Ids of regions that are not those of their tracks, by the id of the track.
using RegionIds = std::map<std::uint64_t, unsigned>;

// Who writes tracks.
struct TrackSource {
  std::string tracker;    // the element's name
  const char* algorithm;  // never null
};

// Adds one region per track that has a box and any pixel inside the frame. A track that is in
// `detected` gets none: `object_id` and `cltrack` are written on the region that is there, which
// keeps its place, id and label. `buffer` must be writable; nothing of it is mapped.
void write_tracks(GstBuffer* buffer, std::span<const Track> tracks, const TrackSource& source,
                  int frame_width, int frame_height, const DetectedRegions& detected = {},
                  const RegionIds& ids = {});

// The key by which a track is known from picture to picture.
struct TrackKey {
  std::string tracker;  // the name of its element; "" of a region that no tracker has written
  std::int64_t id = 0;
  std::string label = {};  // of such a region alone: others may number each kind of object anew

  friend auto operator<=>(const TrackKey&, const TrackKey&) = default;
};

// A region as another element left it, ours or not.
struct TrackRegion {
  int id = 0;  // of the track, if it has one, or else GstVideoRegionOfInterestMeta::id
  std::string label;
  BoundingBox box;  // pixels
  std::optional<float> confidence;
  std::optional<TrackState> state;
  std::vector<TrackPoint> trail = {};     // pixels, the latest point last
  std::optional<std::uint64_t> age = {};  // frames since the target was added
  std::string algorithm = {};             // "" if it is not known
  std::string tracker = {};               // "" if it is not known

  TrackKey key() const { return {tracker, id, tracker.empty() ? label : std::string()}; }
};

// All regions of interest of `buffer`, in the order in which they were added, and then the tracks
// that other elements have written by GstAnalytics alone: ODMtds with a TrackingMtd. A region of an
// object that has one as well has the id of that.
std::vector<TrackRegion> read_tracks(GstBuffer* buffer);

}  // namespace cltrack::gst
