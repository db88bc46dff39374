// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/track_history.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cltrack::gst {

RegionKind kind_of(const TrackRegion& region) {
  if (region.state) return RegionKind::track;
  if (region.id <= 0) return RegionKind::unnumbered;
  return region.confidence ? RegionKind::numbered : RegionKind::bare;
}

std::vector<std::optional<TrackState>> TrackHistory::observe_tracks(std::span<const Track> tracks,
                                                                    GstClockTime running_time,
                                                                    bool breaks) {
  ++picture_;
  const bool is_timed = GST_CLOCK_TIME_IS_VALID(running_time);
  const bool begins_anew =
      breaks && is_timed && GST_CLOCK_TIME_IS_VALID(time_) && running_time < time_;
  if (is_timed) time_ = running_time;
  std::vector<std::optional<TrackState>> before;
  for (const Track& track : tracks) {
    Entry& entry = entries_[{"", static_cast<std::int64_t>(track.id)}];
    before.push_back(std::exchange(entry.track.state, track.state));
    entry.picture = picture_;
    if (begins_anew) entry.seen = {};
    if (!track.has_box() || !is_timed) continue;
    if (!GST_CLOCK_TIME_IS_VALID(entry.seen.first)) entry.seen.first = running_time;
    entry.seen.last = running_time;
  }
  std::erase_if(entries_, [&](const auto& item) { return item.second.picture != picture_; });
  return before;
}

SeenTimes TrackHistory::seen(std::uint64_t id) const {
  const auto found = entries_.find({"", static_cast<std::int64_t>(id)});
  return found != entries_.end() ? found->second.seen : SeenTimes{};
}

TrackHistory::Entry* TrackHistory::find_or_add(const TrackKey& key,
                                               std::vector<TrackChange>& changes) {
  if (const auto found = entries_.find(key); found != entries_.end()) return &found->second;
  if (entries_.size() >= most_) {
    const auto oldest = std::ranges::min_element(entries_, {}, [&](const auto& item) {
      const Entry& entry = item.second;
      return std::tuple(entry.picture == picture_, entry.is_track, entry.picture);
    });
    const Entry& entry = oldest->second;
    if (entry.picture == picture_) return nullptr;
    changes.push_back(
        {TrackChange::Kind::end, entry.track, entry.track.state, "too many lost tracks"});
    entries_.erase(oldest);
  }
  return &entries_[key];
}

std::vector<TrackChange> TrackHistory::observe_regions(std::span<const TrackRegion> regions,
                                                       GstClockTime time,
                                                       const HasLooked& has_looked) {
  ++picture_;
  time_ = time;
  std::vector<TrackChange> changes;
  for (const TrackRegion& region : regions) {
    const RegionKind kind = kind_of(region);
    if (kind > least_) continue;
    Entry* entry = find_or_add(region.key(), changes);
    if (entry == nullptr || entry->picture == picture_) continue;
    const std::optional<TrackState> before = entry->track.state;
    if (before != region.state) {
      changes.push_back(
          {before ? TrackChange::Kind::update : TrackChange::Kind::begin, region, before});
    }
    const bool was_there = entry->picture + 1 == picture_;
    entry->is_track =
        kind == RegionKind::track || (kind == RegionKind::bare && (entry->is_track || was_there));
    entry->track = region;
    entry->track.trail.clear();
    entry->seen.last = time;
    entry->picture = picture_;
  }
  for (auto& [key, entry] : entries_) {
    const std::optional<TrackState> before = entry.track.state;
    const bool is_missing = entry.picture != picture_ && entry.is_track;
    if (!is_missing || before == TrackState::lost || !has_looked(key.tracker)) continue;
    entry.track.state = TrackState::lost;
    entry.track.confidence.reset();
    changes.push_back({TrackChange::Kind::update, entry.track, before});
  }
  std::erase_if(entries_, [&](const auto& item) {
    const Entry& entry = item.second;
    return entry.picture != picture_ && !entry.is_track && entry.trail.empty();
  });
  std::ranges::stable_sort(changes, {}, [](const TrackChange& change) { return change.track.id; });
  return changes;
}

void TrackHistory::add_trails(std::span<TrackRegion> regions, std::size_t length) {
  for (TrackRegion& region : regions) {
    const auto found = entries_.find(region.key());
    if (found == entries_.end() || !region.box.is_valid() || !region.trail.empty()) continue;
    Entry& entry = found->second;
    if (length == 0 || entry.trail_on == picture_) continue;
    entry.trail_on = picture_;
    if (entry.trail.size() >= length)
      entry.trail.erase(entry.trail.begin(),
                        entry.trail.end() - static_cast<std::ptrdiff_t>(length - 1));
    entry.trail.push_back(
        {region.box.x + region.box.width / 2, region.box.y + region.box.height / 2});
    region.trail = entry.trail;
  }
  for (auto& [key, entry] : entries_) {
    if (length == 0 || picture_ - entry.trail_on > kForgetAfter) entry.trail.clear();
  }
}

std::vector<TrackRegion> TrackHistory::lost(GstClockTime lost_time) {
  std::vector<TrackRegion> lost;
  for (auto& [key, entry] : entries_) {
    if (lost_time == 0 || time_ - entry.seen.last > lost_time) entry.is_track = false;
    if (entry.picture != picture_ && entry.is_track) lost.push_back(entry.track);
  }
  return lost;
}

std::vector<TrackChange> TrackHistory::remove(const RemovedTrack& track) {
  std::vector<TrackChange> changes;
  for (const TrackKey& key : {track.track, track.region}) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) continue;
    const TrackRegion& last = found->second.track;
    changes.push_back({TrackChange::Kind::end, last, last.state, "removed"});
    entries_.erase(found);
  }
  return changes;
}

std::vector<TrackChange> TrackHistory::end(const std::string& reason) {
  std::vector<TrackChange> changes;
  for (const auto& [key, entry] : entries_) {
    changes.push_back({TrackChange::Kind::end, entry.track, entry.track.state, reason});
  }
  entries_.clear();
  return changes;
}

void TrackHistory::rescale(float x_factor, float y_factor) {
  for (auto& [key, entry] : entries_) {
    BoundingBox& box = entry.track.box;
    box = {box.x * x_factor, box.y * y_factor, box.width * x_factor, box.height * y_factor};
    for (TrackPoint& point : entry.trail) point = {point.x * x_factor, point.y * y_factor};
  }
}

void TrackHistory::reset() {
  entries_.clear();
  time_ = GST_CLOCK_TIME_NONE;
}

}  // namespace cltrack::gst
