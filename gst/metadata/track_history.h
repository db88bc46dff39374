// SPDX-License-Identifier: LGPL-2.1-or-later
// A history of tracks from picture to picture: their states and what changed, when and where
// they were seen. Trackers keep a history of their targets; elements downstream keep one of the
// regions on their buffers, where a lost track leaves nothing.
//
// Threading: the streaming thread.
#pragma once

#include <gst/gst.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cltrack/track.h"
#include "metadata/track_messages.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {

// The kinds of regions, the surest first.
enum class RegionKind {
  track,       // a tracker tells its state
  bare,        // an id above 0 and nothing else, which is what a converter leaves of a track
  numbered,    // an id above 0 and a confidence: of a detector that numbers, or of another tracker
  unnumbered,  // a find of a detector
};

RegionKind kind_of(const TrackRegion& region);

struct TrackChange {
  enum class Kind { begin, update, end };
  Kind kind;
  TrackRegion track;  // as it is from now on; a lost one has its last box
  std::optional<TrackState> before;
  std::string reason = {};  // of an end
};

// In running time; GST_CLOCK_TIME_NONE if it was not seen yet, or on pictures without a time alone.
struct SeenTimes {
  GstClockTime first = GST_CLOCK_TIME_NONE;
  GstClockTime last = GST_CLOCK_TIME_NONE;
};

class TrackHistory {
 public:
  // As many as a tracker has at most. More are lost tracks that nobody said were removed.
  static constexpr std::size_t kMostTracks = 4096;
  // Trails bridge absences of so many pictures.
  static constexpr std::uint64_t kForgetAfter = 25;

  // Keeps regions of kind `least` or surer, and `most` of them: new ones take the place of those
  // that have been missing for longest, of tracks last.
  explicit TrackHistory(RegionKind least = RegionKind::track, std::size_t most = kMostTracks)
      : least_(least), most_(most) {}

  // All tracks of a tracker on the next picture, lost ones included; others are forgotten. Returns
  // the state of each on the picture before, if it was there. `running_time` may be
  // GST_CLOCK_TIME_NONE. `breaks`: the picture does not follow on from the one before: if running
  // time begins anew there, as after a flush, nothing was seen yet.
  std::vector<std::optional<TrackState>> observe_tracks(std::span<const Track> tracks,
                                                        GstClockTime running_time, bool breaks);
  SeenTimes seen(std::uint64_t id) const;

  // The regions of the next picture, at a time that never steps back; of several with one key the
  // first one counts. What changed is sorted by id. A track that is missing is lost, but not where
  // `has_looked` says that its tracker has not looked at the picture. A bare region is a track from
  // the second picture in a row on: detectors number their finds anew on every picture, and those
  // are not lost, just gone.
  using HasLooked = std::function<bool(const std::string& tracker)>;
  std::vector<TrackChange> observe_regions(
      std::span<const TrackRegion> regions, GstClockTime time = 0,
      const HasLooked& has_looked = [](const auto&) { return true; });

  // Gives those of the latest regions that have no trail their own: the centres of their boxes on
  // up to `length` pictures, the latest included. 0: none, and all trails are forgotten.
  void add_trails(std::span<TrackRegion> regions, std::size_t length);

  // The tracks that are lost on the latest picture and were seen at most `lost_time` (ns) before
  // it, in the order of their keys. Those that are older are forgotten, and all of them if
  // `lost_time` is 0.
  std::vector<TrackRegion> lost(GstClockTime lost_time);

  // Empty if there is no such track.
  std::vector<TrackChange> remove(const RemovedTrack& track);
  // All tracks end.
  std::vector<TrackChange> end(const std::string& reason);

  // The picture's size changed by these factors.
  void rescale(float x_factor, float y_factor);

  void reset();

 private:
  struct Entry {
    TrackRegion track = {};  // as it was seen last, without its trail; its state is that of now
    bool is_track = false;   // is lost, not gone, when it is missing
    SeenTimes seen = {};
    std::uint64_t picture = 0;  // on which it was seen last
    std::vector<TrackPoint> trail = {};
    std::uint64_t trail_on = 0;  // the picture of its latest point
  };

  // Null if there is no room.
  Entry* find_or_add(const TrackKey& key, std::vector<TrackChange>& changes);

  std::map<TrackKey, Entry> entries_;
  RegionKind least_;
  std::size_t most_;
  std::uint64_t picture_ = 1;  // the latest one; 0 is none, and just before none
  GstClockTime time_ = GST_CLOCK_TIME_NONE;
};

}  // namespace cltrack::gst
