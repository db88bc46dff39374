// SPDX-License-Identifier: LGPL-2.1-or-later
// The life of tracks, from the regions on the buffers: a track begins with its first region,
// changes its state, is lost where its region is missing, and ends when it is removed or the stream
// ends.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
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
  // The regions of the next picture. Sorted by id. What is missing is lost, but not where
  // `has_looked` says that a tracker has not looked at it.
  using HasLooked = std::function<bool(const std::string& tracker)>;
  std::vector<TrackChange> see(
      std::span<const TrackRegion> regions,
      const HasLooked& has_looked = [](const auto&) { return true; });

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

  std::map<TrackKey, Entry> tracks_;
  std::uint64_t picture_ = 0;
};

}  // namespace cltrack::gst
