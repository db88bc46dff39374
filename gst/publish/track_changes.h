// SPDX-License-Identifier: LGPL-2.1-or-later
// The life of tracks, from the regions on the buffers: a track begins with its first region,
// changes its state, is lost where its region is missing, and ends when it is removed or the stream
// ends.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "metadata/removed_event.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {

struct TrackChange {
  enum class Kind { begin, update, end };
  Kind kind;
  TrackRegion track;  // as it is from now on; a lost one has its last box
  std::optional<TrackState> before;
  std::string reason = {};  // of an end
};

// Tracks are regions with a state; those of detectors have none.
class TrackChanges {
 public:
  // The regions of the next picture. Sorted by id. `all_looked`: all trackers have looked at it, so
  // that what is missing is lost.
  std::vector<TrackChange> see(std::span<const TrackRegion> regions, bool all_looked = true);

  // Empty if there is no such track.
  std::vector<TrackChange> remove(const RemovedTrack& track);

  // All tracks.
  std::vector<TrackChange> end(const std::string& reason);

 private:
  struct Entry {
    TrackRegion track;
    std::uint64_t seen_on = 0;  // value of picture_
  };

  void forget_oldest(std::vector<TrackChange>& changes);

  // Ids of two trackers in one pipeline may be the same; with the labels they seldom are.
  std::map<std::pair<int, std::string>, Entry> tracks_;
  std::uint64_t picture_ = 0;
};

}  // namespace cltrack::gst
