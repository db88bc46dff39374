// SPDX-License-Identifier: LGPL-2.1-or-later
// Remembers where tracks were last seen. A lost track leaves nothing on a buffer; what it was and
// where is kept here for as long as it is to be shown.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "metadata/track_meta.h"

namespace cltrack::gst {

class LostBoxes {
 public:
  struct FrameTime {
    std::optional<std::uint64_t> stream_time;  // ns
    std::uint64_t duration = 0;                // of one frame, ns; 0: not known
  };

  // Takes the regions of one frame; gives the tracks that are not among them and were seen at most
  // `lost_time` (ns, 0: none) ago, with state `lost`, in the order of their keys. A frame without a
  // stream time counts as one duration later than the one before it; if that is not known either,
  // nothing is remembered.
  //
  // Tracks are regions with a state. A region without one counts as a track if it has nothing but
  // an id above 0, which is what a converter leaves of a track, and was there on two frames in a
  // row: detectors number their finds anew on every frame, and those are not lost, just gone.
  std::vector<TrackRegion> update(std::span<const TrackRegion> regions, const FrameTime& time,
                                  std::uint64_t lost_time);

  // That track was removed: it is not lost.
  void forget(const TrackKey& key) { entries_.erase(key); }

  // The picture's size changed by these factors.
  void rescale(float x_factor, float y_factor);

  void reset();

 private:
  struct Entry {
    TrackRegion region;
    std::uint64_t seen_at = 0;     // ns
    std::uint64_t seen_frame = 0;  // value of frame_
    bool is_track = false;
  };

  bool advance(const FrameTime& time);
  void remember(const TrackRegion& region);

  std::map<TrackKey, Entry> entries_;
  std::optional<std::uint64_t> now_;
  std::uint64_t frame_ = 0;
};

}  // namespace cltrack::gst
