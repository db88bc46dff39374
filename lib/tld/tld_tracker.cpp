// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/tld_tracker.h"

#include <algorithm>
#include <utility>

#include "cltrack/error.h"
#include "core/log.h"
#include "core/target_count.h"
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
        learning_(config.learning) {}

  std::uint64_t add(const BoundingBox& box, std::string_view label) override;
  bool remove(std::uint64_t id) override;
  void reset() override;
  void set_learning(bool learning) override { learning_ = learning; }
  std::span<const Track> process(const Frame& frame) override;
  TrackerStats stats() const override;
  std::vector<std::string> take_warnings() override { return auto_.take_warnings(); }

 private:
  struct Entry {
    Track track;
    BoundingBox given;               // as added, until the first frame
    std::unique_ptr<Target> target;  // from the first frame on, unless it cannot be tracked
    bool is_new() const { return !target && track.age == 0; }
  };

  void follow(const Frame& frame);
  std::vector<Target*> targets();
  void start(Entry& entry);
  void rescale(int width, int height);
  static void report(const std::optional<Estimate>& estimate, const Frame& frame, Track& track);

  TldConfig config_;
  AutoPlacement auto_;
  FrameSteps steps_;
  bool learning_;
  std::vector<Entry> entries_;
  std::vector<Track> tracks_;
  int width_ = 0;
  int height_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t frames_ = 0;
};

std::uint64_t TldTracker::add(const BoundingBox& box, std::string_view label) {
  check_target_count(entries_.size(), config_.max_targets);
  // No frame is known yet: any that holds the box would do.
  constexpr int any = 1 << 24;
  if (!box.is_valid()) clip_target(box, any, any);
  clip_target({0, 0, box.width, box.height}, any, any);
  Entry entry;
  entry.track.id = ++last_id_;
  entry.track.label = label;
  entry.given = box;
  entries_.push_back(std::move(entry));
  return last_id_;
}

bool TldTracker::remove(std::uint64_t id) {
  steps_.remove(id);
  return std::erase_if(entries_, [id](const Entry& entry) { return entry.track.id == id; }) > 0;
}

void TldTracker::reset() {
  entries_.clear();
  tracks_.clear();
  steps_.reset();
  steps_.meters().reset();
  width_ = height_ = 0;
  last_id_ = frames_ = 0;
}

std::span<const Track> TldTracker::process(const Frame& frame) {
  if (frame.luma.empty()) {
    throw Error(ErrorCode::invalid_argument, "a frame without pixels cannot be processed");
  }
  if (frame.luma.width != width_ || frame.luma.height != height_) {
    rescale(frame.luma.width, frame.luma.height);
  }
  tracks_.clear();
  if (entries_.empty()) {
    ++frames_;
    steps_.forget_before();  // not worth keeping up to date
    return tracks_;
  }
  try {
    follow(frame);
  } catch (...) {
    steps_.abandon();
    // Where a new target was given is where it is on a whole frame.
    for (Entry& entry : entries_) {
      if (entry.track.age == 0) entry.target.reset();
    }
    throw;
  }
  ++frames_;
  for (Entry& entry : entries_) {
    if (entry.target && entry.track.age == 0) {
      report(Estimate{clip_to_frame(entry.given, width_, height_), 1, true}, frame, entry.track);
    } else if (entry.target) {
      report(entry.target->estimate(), frame, entry.track);
    }
    ++entry.track.age;
    tracks_.push_back(entry.track);
  }
  return tracks_;
}

std::vector<Target*> TldTracker::targets() {
  std::vector<Target*> all;
  for (Entry& entry : entries_) {
    if (entry.target) all.push_back(entry.target.get());
  }
  return all;
}

void TldTracker::follow(const Frame& frame) {
  const std::vector<Target*> followed = targets();
  const auto with_box = std::ranges::count_if(
      followed, [](const Target* target) { return target->estimate().has_value(); });
  const auto place = [&] { steps_.place(auto_.placement(), targets()); };
  // It may begin again elsewhere. What is decided is not decided twice.
  auto_.process(width_, height_, place, [&] {
    steps_.begin(frame, followed, !frame.discontinuity);
    if (!steps_.has_decided()) {
      steps_.find(followed);
      steps_.decide(followed, learning_);
    }
    bool usual = steps_.has_motion();
    for (Entry& entry : entries_) {
      if (!entry.is_new()) continue;
      start(entry);
      usual = false;
    }
    steps_.end();
    return usual ? static_cast<int>(with_box) : 0;
  });
}

void TldTracker::start(Entry& entry) {
  try {
    const BoundingBox box = clip_target(entry.given, width_, height_);
    entry.target = steps_.start(entry.track.id, box);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    log(LogLevel::warning, error.what());
  }
}

void TldTracker::rescale(int width, int height) {
  if (width_ > 0) {
    const float scale_x = static_cast<float>(width) / static_cast<float>(width_);
    const float scale_y = static_cast<float>(height) / static_cast<float>(height_);
    for (Entry& entry : entries_) {
      if (entry.target) entry.target->rescale(scale_x, scale_y, width, height);
    }
  }
  steps_.forget_before();
  width_ = width;
  height_ = height;
}

void TldTracker::report(const std::optional<Estimate>& estimate, const Frame& frame, Track& track) {
  if (!estimate) {
    track.box = {};
    track.confidence = 0;
    track.state = TrackState::lost;
    return;
  }
  track.box = estimate->box;
  track.confidence = estimate->confidence;
  track.state = estimate->valid ? TrackState::tracking : TrackState::uncertain;
  track.last_seen = frame.pts;
}

TrackerStats TldTracker::stats() const {
  TrackerStats stats;
  stats.frames = frames_;
  stats.stages = steps_.meters().stats();
  for (const Entry& entry : entries_) {
    if (!entry.target) continue;
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
