// SPDX-License-Identifier: LGPL-2.1-or-later
// The part of trackers that is alike: targets are added, moved and removed, their boxes are
// checked, and warnings and statistics are collected. A tracker derives from it, and implements
// what it takes as a target, what it does with a frame, and what it reports of it.
#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "compute/lent_picture.h"
#include "core/log.h"
#include "core/target_table.h"
#include "placement/auto_placement.h"
#include "placement/stage_meters.h"

namespace cltrack {

// `Known`: see TargetTable.
template <typename Known>
class TrackerBase : public Tracker {
 public:
  std::uint64_t add(const Seed& seed, std::string_view label) final {
    return enter(std::nullopt, seed, label);
  }
  void add(std::uint64_t id, const Seed& seed, std::string_view label) final {
    enter(id, seed, label);
  }
  void set_id_source(std::function<std::uint64_t()> next) final {
    table_.set_id_source(std::move(next));
  }
  bool move(std::uint64_t id, const BoundingBox& box) override { return table_.move(id, box); }
  bool remove(std::uint64_t id) final { return table_.remove(id); }
  void clear() final { table_.clear(); }

  void reset() final {
    table_.reset();
    warnings_.clear();
    frames_ = 0;
    forget();
  }

  std::span<const Track> process(const Frame& frame) final {
    try {
      const std::span<const Track> tracks = track(lender_.begin(frame));
      lender_.end();
      ++frames_;
      return tracks;
    } catch (...) {
      table_.give_up();
      lender_.abandon();
      throw;
    }
  }

  TrackerStats stats() const final {
    TrackerStats stats{.frames = frames_, .stages = meters().stats(), .targets = {}};
    for (const Entry& entry : table_.entries()) {
      std::optional<TargetStats> target = stats_of(entry);
      if (!target || !table_.has(entry.track.id)) continue;
      target->id = entry.track.id;
      stats.targets.push_back(*target);
    }
    return stats;
  }

  std::vector<std::string> take_warnings() final {
    std::vector<std::string> all = auto_.take_warnings();
    host().take_warnings(all);
    std::ranges::move(std::exchange(warnings_, {}), std::back_inserter(all));
    return all;
  }

 protected:
  using Table = TargetTable<Known>;
  using Entry = typename Table::Entry;

  // `noun`: what warnings call a target.
  TrackerBase(const TargetLimit& limit, std::shared_ptr<TrackerDevices> devices,
              const char* noun = "target")
      : auto_(std::move(devices)), table_(limit), noun_(noun) {}

  // The knowledge of a target that is not given as a box. Throws Error{invalid_argument} for seeds
  // that the tracker does not take. Threading: any.
  virtual Known make(const Seed& seed) const = 0;
  virtual std::span<const Track> track(const TrackedFrame& frame) = 0;
  // Ends all that a reset ends besides the targets; meters() among it.
  virtual void forget() = 0;
  // Without the id; nothing if no model of it can grow.
  virtual std::optional<TargetStats> stats_of(const Entry&) const { return std::nullopt; }
  virtual const StageMeters& meters() const = 0;
  virtual Queue& host() = 0;

  // Calls put(box) with what is inside the frame of the box that the application has set for it. If
  // it cannot be used there, a warning says so, and it is dropped.
  template <typename Put>
  void put_in_place(Entry& entry, const Put& put) {
    try {
      put(clip_target(*entry.place, table_.width(), table_.height()));
    } catch (const Error& error) {
      refuse_place(entry, error);
    }
  }

  // The same for whatever else is wrong with it. Throws other errors again.
  void refuse_place(Entry& entry, const Error& error) {
    warn_of(entry, error);
    entry.place.reset();
  }

  // What keeps a target from being where it was put. Throws other errors again.
  void warn_of(const Entry& entry, const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    warn(noun_ + " " + std::to_string(entry.track.id) +
         (entry.target ? " is not moved: " : " stays lost: ") + error.what());
  }

  void warn(std::string text) {
    log(LogLevel::warning, text);
    warnings_.push_back(std::move(text));
  }

  AutoPlacement auto_;
  Table table_;

 private:
  std::uint64_t enter(std::optional<std::uint64_t> id, const Seed& seed, std::string_view label) {
    if (const auto* box = std::get_if<BoundingBox>(&seed)) return table_.add(id, {}, *box, label);
    return table_.add(id, make(seed), {}, label);
  }

  const std::string noun_;
  std::vector<std::string> warnings_;
  std::uint64_t frames_ = 0;
  PictureLender lender_;
};

}  // namespace cltrack
