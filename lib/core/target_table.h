// SPDX-License-Identifier: LGPL-2.1-or-later
// The targets of a tracker, and the checks that all algorithms share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cltrack/bounding_box.h"
#include "cltrack/export.h"
#include "cltrack/seed.h"
#include "cltrack/track.h"

namespace cltrack {

// Checks of targets that all algorithms share. All of them throw Error{invalid_argument}.

// The largest number of targets.
struct TargetLimit {
  int most = 0;
  std::string advice;  // what to do when it is reached

  // From a config's max_targets.
  static TargetLimit of_config(int max_targets);

  // Throws if a target cannot be added to `count` targets.
  void check(std::size_t count) const;
};

// Throws if the box is not finite or has no area.
CLTRACK_API void check_valid(const BoundingBox& box);

// Throws if the box is not valid or has a side under kMinimumBoxSide: no frame of any size has it.
CLTRACK_API void check_box(const BoundingBox& box);

// Throws an error which says that `algorithm` accepts `allowed`, not this kind of seed.
[[noreturn]] void refuse_seed(const Seed& seed, std::string_view algorithm,
                              std::string_view allowed);

// Throws an error which says why no target can be added under `id`: another one has it, or it is
// 0.
[[noreturn]] void refuse_id(std::uint64_t id);

// The targets of a tracker: ids, labels, boxes set by the application, and the latest tracks.
// `Known` is an algorithm's model of a target; Known() is an empty one.
//
// Threading: add(), move(), remove(), clear(), has() and next_id() on any thread at any time; their
// changes take effect in update(). All else: the thread that calls the tracker.

template <typename Known>
struct TargetEntry {
  Track track;  // the latest report; its age is 0 before the first one
  // The box that the application has set for the next frame; empty once it was used or rejected.
  std::optional<BoundingBox> place;
  // Counts all that were added, from 1: random numbers depend on it, and not on the ids.
  std::uint64_t number = 0;
  Known target = {};
  bool starts = false;  // `target` was initialised on the present frame

  bool is_new() const { return track.age == 0; }
};

// The result for one target on one frame.
struct Sighting {
  BoundingBox box = {};
  float confidence = 0;
  TrackState state = TrackState::lost;
  const char* reason = "";  // see Track
};

template <typename Known>
class TargetTable {
 public:
  using Entry = TargetEntry<Known>;

  struct Changes {
    std::vector<std::uint64_t> removed;  // numbers
    bool any = false;
  };

  explicit TargetTable(const TargetLimit& limit) : limit_(limit) {}

  // See Tracker. Returns the id: without `id` an unused one. Throws Error{invalid_argument} if
  // there are too many targets, and what check_box() and refuse_id() throw.
  std::uint64_t add(std::optional<std::uint64_t> id, Known known,
                    const std::optional<BoundingBox>& place, std::string_view label);
  bool move(std::uint64_t id, const BoundingBox& box);
  bool remove(std::uint64_t id);
  void clear();
  bool has(std::uint64_t id) const;
  // Returns an unused id and reserves it.
  std::uint64_t next_id();
  void set_id_source(std::function<std::uint64_t()> next);

  // Applies all changes made so far.
  Changes update();
  void reset();

  // Sets the frame size. If there was another one, calls rescale(entry, scale_x, scale_y) for all
  // targets. Returns whether the size changed.
  template <typename Rescale>
  bool resize(int width, int height, const Rescale& rescale);
  int width() const { return width_; }  // of the frame
  int height() const { return height_; }

  // In the order in which they were added.
  std::vector<Entry>& entries() { return entries_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // Ends a frame: sighting(entry) returns the result for a target, if it was found. Returns the
  // tracks, in the order of their ids.
  template <typename SightingOf>
  std::span<const Track> report(std::int64_t pts, const SightingOf& sighting);
  // Abandons a frame: targets that were initialised on it become empty again.
  void give_up();

 private:
  typename std::vector<Entry>::iterator waiting(std::uint64_t id) {
    return std::ranges::find(waiting_, id, [](const Entry& entry) { return entry.track.id; });
  }
  std::uint64_t give_id() { return id_source_ ? id_source_() : last_id_ + 1; }

  const TargetLimit limit_;
  std::vector<Entry> entries_;
  std::vector<Track> tracks_;
  int width_ = 0;
  int height_ = 0;

  mutable std::mutex mutex_;                                   // for all members below
  std::set<std::uint64_t> ids_;                                // of entries_ and waiting_
  std::vector<Entry> waiting_;                                 // added since update()
  std::map<std::uint64_t, std::optional<BoundingBox>> moves_;  // of entries_; empty box: removed
  std::uint64_t added_ = 0;                                    // number of the latest one
  std::uint64_t last_id_ = 0;                                  // the largest one
  std::function<std::uint64_t()> id_source_;
};

template <typename Known>
std::uint64_t TargetTable<Known>::add(std::optional<std::uint64_t> id, Known known,
                                      const std::optional<BoundingBox>& place,
                                      std::string_view label) {
  if (place) check_box(*place);
  Entry entry;
  entry.track.label = label;
  entry.place = place;
  entry.target = std::move(known);
  const std::lock_guard lock(mutex_);
  limit_.check(ids_.size());
  entry.track.id = id ? *id : give_id();
  if (entry.track.id == 0 || !ids_.insert(entry.track.id).second) refuse_id(entry.track.id);
  last_id_ = std::max(last_id_, entry.track.id);
  entry.number = ++added_;
  return waiting_.emplace_back(std::move(entry)).track.id;
}

template <typename Known>
bool TargetTable<Known>::move(std::uint64_t id, const BoundingBox& box) {
  check_box(box);
  const std::lock_guard lock(mutex_);
  if (!ids_.contains(id)) return false;
  if (const auto found = waiting(id); found != waiting_.end()) {
    found->place = box;
  } else {
    moves_[id] = box;
  }
  return true;
}

template <typename Known>
bool TargetTable<Known>::remove(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  if (ids_.erase(id) == 0) return false;
  if (const auto found = waiting(id); found != waiting_.end()) {
    waiting_.erase(found);
  } else {
    moves_[id] = std::nullopt;
  }
  return true;
}

template <typename Known>
void TargetTable<Known>::clear() {
  const std::lock_guard lock(mutex_);
  for (const Entry& entry : waiting_) ids_.erase(entry.track.id);
  for (const std::uint64_t id : ids_) moves_[id] = std::nullopt;
  ids_.clear();
  waiting_.clear();
}

template <typename Known>
bool TargetTable<Known>::has(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  return ids_.contains(id);
}

template <typename Known>
std::uint64_t TargetTable<Known>::next_id() {
  const std::lock_guard lock(mutex_);
  return last_id_ = give_id();
}

template <typename Known>
void TargetTable<Known>::set_id_source(std::function<std::uint64_t()> next) {
  const std::lock_guard lock(mutex_);
  id_source_ = std::move(next);
}

template <typename Known>
auto TargetTable<Known>::update() -> Changes {
  std::vector<Entry> added;
  decltype(moves_) moves;
  {
    const std::lock_guard lock(mutex_);
    added.swap(waiting_);
    moves.swap(moves_);
  }
  Changes changes;
  changes.any = !added.empty() || !moves.empty();
  const auto is_removed = [&](const Entry& entry) {
    const auto move = moves.find(entry.track.id);
    return move != moves.end() && !move->second;
  };
  for (Entry& entry : entries_) {
    if (is_removed(entry)) {
      changes.removed.push_back(entry.number);
    } else if (const auto move = moves.find(entry.track.id); move != moves.end()) {
      entry.place = move->second;
    }
  }
  std::erase_if(entries_, is_removed);
  std::ranges::move(added, std::back_inserter(entries_));
  return changes;
}

template <typename Known>
void TargetTable<Known>::reset() {
  entries_.clear();
  tracks_.clear();
  width_ = height_ = 0;
  const std::lock_guard lock(mutex_);
  ids_.clear();
  waiting_.clear();
  moves_.clear();
  added_ = last_id_ = 0;
}

template <typename Known>
template <typename Rescale>
bool TargetTable<Known>::resize(int width, int height, const Rescale& rescale) {
  if (width == width_ && height == height_) return false;
  // No target is rescaled twice, whatever throws.
  const auto former_width = static_cast<float>(std::exchange(width_, width));
  const auto former_height = static_cast<float>(std::exchange(height_, height));
  if (former_width > 0) {
    const float scale_x = static_cast<float>(width) / former_width;
    const float scale_y = static_cast<float>(height) / former_height;
    for (Entry& entry : entries_) rescale(entry, scale_x, scale_y);
  }
  return true;
}

template <typename Known>
template <typename SightingOf>
std::span<const Track> TargetTable<Known>::report(std::int64_t pts, const SightingOf& sighting) {
  tracks_.clear();
  for (Entry& entry : entries_) {
    const Sighting seen = std::optional<Sighting>(sighting(entry)).value_or(Sighting());
    Track& track = entry.track;
    track.box = seen.box;
    track.confidence = seen.confidence;
    track.state = seen.state;
    track.reason = track.has_box() ? "" : seen.reason;
    if (track.has_box()) track.last_seen = pts;
    ++track.age;
    entry.place.reset();
    entry.starts = false;
    tracks_.push_back(track);
  }
  std::ranges::sort(tracks_, {}, &Track::id);
  return tracks_;
}

template <typename Known>
void TargetTable<Known>::give_up() {
  for (Entry& entry : entries_) {
    if (std::exchange(entry.starts, false)) entry.target = Known();
  }
}

}  // namespace cltrack
