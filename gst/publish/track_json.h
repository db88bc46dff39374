// SPDX-License-Identifier: LGPL-2.1-or-later
// The life of tracks, and both as JSON.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "metadata/track_messages.h"
#include "metadata/track_meta.h"

namespace cltrack::gst {

// The life of tracks, from the regions on the buffers: a track begins with its first region,
// changes its state, is lost where its region is missing, and ends when it is removed or the stream
// ends.

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

// Tracks as JSON, with the fields that DL Streamer's gvametaconvert writes and our own under
// "cltrack", which is always the last field of a message.

// What a message is about.
struct Picture {
  std::string source;
  int width = 0;  // pixels; 0: not known
  int height = 0;
  std::optional<std::uint64_t> stream_time;  // ns
  std::string system_time;                   // ISO 8601, UTC
};

// By which a consumer knows doubles and gaps.
struct Stamp {
  std::uint64_t sequence = 0;  // of the messages of one kind, from 0
  std::string run;             // another one each time that the element starts
};

std::string tracks_json(const Picture& picture, std::span<const TrackRegion> regions,
                        const Stamp& stamp);

std::string change_json(const Picture& picture, const TrackChange& change, const Stamp& stamp);

// Says in a message of the above that it may have been received before.
void mark_again(std::string& json);

}  // namespace cltrack::gst
