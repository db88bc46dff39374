// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_tracker.h"

#include <algorithm>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"
#include "core/target_table.h"
#include "placement/auto_placement.h"
#include "tld/frame_steps.h"
#include "tld/target.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

class TldTracker final : public Tracker {
 public:
  TldTracker(const TldConfig& config, std::shared_ptr<TrackerDevices> devices)
      : config_(config),
        auto_(std::move(devices)),
        steps_(config, auto_.placement()),
        learning_(config.learning),
        table_(TargetLimit::of_config(config.max_targets)) {}

  std::uint64_t add(const Seed& seed, std::string_view label) override;
  bool move(std::uint64_t id, const BoundingBox& box) override { return table_.move(id, box); }
  bool remove(std::uint64_t id) override { return table_.remove(id); }
  void clear() override { table_.clear(); }
  void reset() override;
  void set_learning(bool learning) override { learning_ = learning; }
  std::span<const Track> process(const Frame& frame) override;
  TrackerStats stats() const override;
  std::vector<std::string> take_warnings() override { return auto_.take_warnings(); }

 private:
  // Nothing is known of a target before its first frame, or if it could not be learnt there.
  using Table = TargetTable<std::unique_ptr<Target>>;
  using Entry = Table::Entry;

  void follow(const Frame& frame);
  std::vector<Target*> targets();
  void start(Entry& entry);
  void move(Entry& entry);
  // put(box) with the box that was asked for. One that cannot be used is dropped, with a warning.
  template <typename Put>
  void place(Entry& entry, const Put& put);
  std::optional<Sighting> sighting(const Entry& entry) const;

  TldConfig config_;
  AutoPlacement auto_;
  FrameSteps steps_;
  bool learning_;
  Table table_;
  std::uint64_t frames_ = 0;
};

std::uint64_t TldTracker::add(const Seed& seed, std::string_view label) {
  const auto* box = std::get_if<BoundingBox>(&seed);
  if (box == nullptr) refuse_seed(seed, "TLD", "a box");
  return table_.add(nullptr, *box, label);
}

void TldTracker::reset() {
  table_.reset();
  steps_.reset();
  steps_.meters().reset();
  frames_ = 0;
}

std::span<const Track> TldTracker::process(const Frame& frame) {
  if (frame.luma.empty()) {
    throw Error(ErrorCode::invalid_argument, "a frame without pixels cannot be processed");
  }
  const auto changes = table_.update();
  for (const std::uint64_t id : changes.removed) steps_.remove(id);
  const int width = frame.luma.width, height = frame.luma.height;
  const bool resized = table_.resize(width, height, [&](Entry& entry, float x, float y) {
    if (entry.target) entry.target->rescale(x, y, width, height);
  });
  if (resized) steps_.forget_before();
  if (table_.entries().empty()) {
    steps_.forget_before();  // not worth keeping up to date
  } else {
    try {
      follow(frame);
    } catch (...) {
      steps_.abandon();
      table_.give_up();
      throw;
    }
  }
  ++frames_;
  return table_.report(frame.pts, [this](const Entry& entry) { return sighting(entry); });
}

std::vector<Target*> TldTracker::targets() {
  std::vector<Target*> all;
  for (Entry& entry : table_.entries()) {
    if (entry.target) all.push_back(entry.target.get());
  }
  return all;
}

void TldTracker::follow(const Frame& frame) {
  std::vector<Target*> to_decide;  // all but those that were moved on this frame
  for (Entry& entry : table_.entries()) {
    if (!entry.target) continue;
    if (entry.place) move(entry);
    if (!entry.place) to_decide.push_back(entry.target.get());
  }
  const std::vector<Target*> followed = targets();
  const auto with_box = std::ranges::count_if(
      followed, [](const Target* target) { return target->estimate().has_value(); });
  const auto place = [&] { steps_.place(auto_.placement(), targets()); };
  // It may begin again elsewhere. What is decided is not decided twice.
  auto_.process(table_.width(), table_.height(), place, [&] {
    steps_.begin(frame, followed, !frame.discontinuity);
    if (!steps_.has_decided()) {
      steps_.find(followed);
      steps_.decide(to_decide, learning_);
    }
    bool usual = steps_.has_motion() && to_decide.size() == followed.size();
    for (Entry& entry : table_.entries()) {
      if (entry.target || !entry.place) continue;
      start(entry);
      usual = false;
    }
    steps_.end();
    return usual ? static_cast<int>(with_box) : 0;
  });
}

void TldTracker::start(Entry& entry) {
  place(entry, [&](const BoundingBox& box) {
    entry.target = steps_.start(entry.track.id, box);
    entry.starts = true;
  });
}

void TldTracker::move(Entry& entry) {
  place(entry, [&](const BoundingBox& box) { entry.target->move_to(box); });
}

template <typename Put>
void TldTracker::place(Entry& entry, const Put& put) {
  try {
    put(clip_target(*entry.place, table_.width(), table_.height()));
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    log(LogLevel::warning, error.what());
    entry.place.reset();
  }
}

std::optional<Sighting> TldTracker::sighting(const Entry& entry) const {
  if (!entry.target) return std::nullopt;
  if (entry.place) {
    return Sighting{clip_to_frame(*entry.place, table_.width(), table_.height()), 1,
                    TrackState::tracking};
  }
  const std::optional<Estimate>& estimate = entry.target->estimate();
  if (!estimate || !entry.target->is_seen()) return std::nullopt;
  return Sighting{estimate->box, estimate->confidence,
                  estimate->valid ? TrackState::tracking : TrackState::uncertain};
}

TrackerStats TldTracker::stats() const {
  TrackerStats stats;
  stats.frames = frames_;
  stats.stages = steps_.meters().stats();
  for (const Entry& entry : table_.entries()) {
    if (!entry.target || !table_.has(entry.track.id)) continue;
    stats.targets.push_back({.id = entry.track.id,
                             .windows = entry.target->grid().size(),
                             .positive_patches = entry.target->model().patches.positives().size(),
                             .negative_patches = entry.target->model().patches.negatives().size()});
  }
  return stats;
}

}  // namespace

std::shared_ptr<TrackerDevices> open_devices(const TldConfig& config) {
  validate(config);
  return std::make_shared<TrackerDevices>(tld_kind(config), config.placement);
}

std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config) {
  return make_tld_tracker(config, open_devices(config));
}

std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config,
                                          std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<TldTracker>(config, check_kind(std::move(devices), kTldName));
}

}  // namespace cltrack
