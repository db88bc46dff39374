// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_changes.h"

#include <algorithm>

namespace cltrack::gst {
namespace {

// As many as a tracker has at most. More are lost tracks that nobody said were removed.
constexpr std::size_t kMostTracks = 4096;

}  // namespace

void TrackChanges::forget_oldest(std::vector<TrackChange>& changes) {
  while (tracks_.size() > kMostTracks) {
    const auto oldest = std::ranges::min_element(
        tracks_, {}, [](const auto& entry) { return entry.second.seen_on; });
    changes.push_back({TrackChange::Kind::end, oldest->second.track, oldest->second.track.state,
                       "too many lost tracks"});
    tracks_.erase(oldest);
  }
}

std::vector<TrackChange> TrackChanges::see(std::span<const TrackRegion> regions,
                                           const HasLooked& has_looked) {
  ++picture_;
  std::vector<TrackChange> changes;
  for (const TrackRegion& region : regions) {
    if (!region.state) continue;
    const auto [found, is_new] = tracks_.try_emplace(region.key());
    Entry& entry = found->second;
    if (entry.seen_on == picture_) continue;  // a double
    if (is_new) {
      changes.push_back({TrackChange::Kind::begin, region, std::nullopt});
    } else if (entry.track.state != region.state) {
      changes.push_back({TrackChange::Kind::update, region, entry.track.state});
    }
    entry = {region, picture_};
    entry.track.trail.clear();
  }
  for (auto& [key, entry] : tracks_) {
    const bool is_lost = entry.track.state == TrackState::lost;
    if (entry.seen_on == picture_ || is_lost || !has_looked(key.tracker)) continue;
    const std::optional<TrackState> before = entry.track.state;
    entry.track.state = TrackState::lost;
    entry.track.confidence.reset();
    changes.push_back({TrackChange::Kind::update, entry.track, before});
  }
  forget_oldest(changes);
  std::ranges::stable_sort(changes, {}, [](const TrackChange& change) { return change.track.id; });
  return changes;
}

std::vector<TrackChange> TrackChanges::remove(const RemovedTrack& track) {
  const auto found = tracks_.find(track.track);
  if (found == tracks_.end()) return {};
  const TrackRegion last = found->second.track;
  tracks_.erase(found);
  return {{TrackChange::Kind::end, last, last.state, "removed"}};
}

std::vector<TrackChange> TrackChanges::end(const std::string& reason) {
  std::vector<TrackChange> changes;
  for (const auto& [key, entry] : tracks_) {
    changes.push_back({TrackChange::Kind::end, entry.track, entry.track.state, reason});
  }
  tracks_.clear();
  return changes;
}

}  // namespace cltrack::gst
