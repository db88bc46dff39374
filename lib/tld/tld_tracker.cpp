// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/tld_tracker.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "core/log.h"
#include "core/stage_clock.h"
#include "core/thread_pool.h"
#include "tld/frame_planes.h"
#include "tld/target.h"

namespace cltrack {
namespace {

class TldTracker final : public Tracker {
 public:
  explicit TldTracker(const TldConfig& config)
      : config_(config), pool_(config.threads), learning_(config.learning) {}

  std::uint64_t add(const BoundingBox& box, std::string_view label) override;
  bool remove(std::uint64_t id) override;
  void reset() override;
  void set_learning(bool learning) override { learning_ = learning; }
  std::span<const Track> process(const Frame& frame) override;
  TrackerStats stats() const override;

 private:
  struct Entry {
    Track track;
    BoundingBox given;               // as added, until the first frame
    std::unique_ptr<Target> target;  // from the first frame on, unless it cannot be tracked
  };
  struct Work {  // one step of one target
    Target* target;
    int part;
  };

  void prepare(const Frame& frame, FramePlanes& planes);
  void rescale(int width, int height);
  void follow(const FramePlanes& before, const FramePlanes& now, bool motion);
  void start(Entry& entry, const FramePlanes& planes);
  static void report(const std::optional<Estimate>& estimate, const Frame& frame, Track& track);

  TldConfig config_;
  ThreadPool pool_;
  bool learning_;
  std::vector<Entry> entries_;
  std::vector<Track> tracks_;
  std::array<FramePlanes, 2> planes_;  // the frame before and this one, in turn
  bool has_frame_ = false;             // planes_ of the frame before are of use
  int width_ = 0;
  int height_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t frames_ = 0;
  StageClock planes_clock_{"planes"}, search_clock_{"search"}, match_clock_{"match"},
      decide_clock_{"decide"}, start_clock_{"start"};
};

std::uint64_t TldTracker::add(const BoundingBox& box, std::string_view label) {
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
  return std::erase_if(entries_, [id](const Entry& entry) { return entry.track.id == id; }) > 0;
}

void TldTracker::reset() {
  entries_.clear();
  tracks_.clear();
  has_frame_ = false;
  width_ = height_ = 0;
  last_id_ = frames_ = 0;
  for (StageClock* clock :
       {&planes_clock_, &search_clock_, &match_clock_, &decide_clock_, &start_clock_}) {
    clock->reset();
  }
}

std::span<const Track> TldTracker::process(const Frame& frame) {
  if (frame.luma.empty()) {
    throw Error(ErrorCode::invalid_argument, "a frame without pixels cannot be processed");
  }
  if (frame.luma.width != width_ || frame.luma.height != height_) {
    rescale(frame.luma.width, frame.luma.height);
  }
  ++frames_;
  if (entries_.empty()) {
    has_frame_ = false;  // not worth keeping up to date
    tracks_.clear();
    return tracks_;
  }
  const FramePlanes& before = planes_[(frames_ + 1) % 2];
  FramePlanes& now = planes_[frames_ % 2];
  prepare(frame, now);
  follow(before, now, has_frame_ && !frame.discontinuity);
  has_frame_ = true;

  tracks_.clear();
  for (Entry& entry : entries_) {
    if (!entry.target && entry.track.age == 0) {
      start(entry, now);
      if (entry.target) {
        report(Estimate{clip_to_frame(entry.given, width_, height_), 1, true}, frame, entry.track);
      }
    } else if (entry.target) {
      report(entry.target->estimate(), frame, entry.track);
    }
    ++entry.track.age;
    tracks_.push_back(entry.track);
  }
  return tracks_;
}

void TldTracker::prepare(const Frame& frame, FramePlanes& planes) {
  const auto measure = planes_clock_.measure();
  int window = config_.flow_window_min | 1;
  for (const Entry& entry : entries_) {
    if (entry.target) window = std::max(window, entry.target->flow_window());
  }
  planes.luma = frame.luma;
  pool_.run(3, [&](int task) {
    if (task == 0) planes.pyramid.build(frame.luma, config_.flow_levels, window);
    if (task == 1) blur(frame.luma, planes.blurred, planes.scratch);
    if (task == 2) integrate(frame.luma, planes.integrals);
  });
}

void TldTracker::follow(const FramePlanes& before, const FramePlanes& now, bool motion) {
  std::vector<Target*> targets;
  for (Entry& entry : entries_) {
    if (entry.target) targets.push_back(entry.target.get());
  }
  // Flow first: it is the longest single piece of work.
  constexpr int flow = -1;
  std::vector<Work> work;
  for (Target* target : targets) work.push_back({target, flow});
  for (Target* target : targets) {
    for (int part = 0; part < target->detector().scan_parts(); ++part)
      work.push_back({target, part});
  }
  const auto count = [](const auto& items) { return static_cast<int>(items.size()); };
  {
    const auto measure = search_clock_.measure();
    pool_.run(count(work), [&](int i) {
      const auto& [target, part] = work[static_cast<std::size_t>(i)];
      if (part == flow) {
        target->flow(before, now, motion);
      } else {
        target->scan_part(part, now);
      }
    });
  }
  {
    const auto measure = match_clock_.measure();
    work.clear();
    for (Target* target : targets) {
      target->collect();
      for (int part = 0; part < target->detector().match_parts(); ++part) {
        work.push_back({target, part});
      }
    }
    pool_.run(count(work), [&](int i) {
      const auto& [target, part] = work[static_cast<std::size_t>(i)];
      target->match_part(part, now);
    });
  }
  const auto measure = decide_clock_.measure();
  pool_.run(count(targets),
            [&](int i) { targets[static_cast<std::size_t>(i)]->decide(now, learning_); });
}

void TldTracker::start(Entry& entry, const FramePlanes& planes) {
  const auto measure = start_clock_.measure();
  try {
    const BoundingBox box = clip_target(entry.given, width_, height_);
    entry.target = std::make_unique<Target>(box, planes, config_, config_.seed + entry.track.id);
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
  has_frame_ = false;
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
  for (const StageClock* clock :
       {&planes_clock_, &search_clock_, &match_clock_, &decide_clock_, &start_clock_}) {
    stats.stages.push_back(clock->stats());
  }
  for (const Entry& entry : entries_) {
    if (!entry.target) continue;
    stats.targets.push_back({.id = entry.track.id,
                             .windows = entry.target->detector().grid().size(),
                             .positive_patches = entry.target->model().positives().size(),
                             .negative_patches = entry.target->model().negatives().size()});
  }
  return stats;
}

}  // namespace

std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config) {
  validate(config);
  return std::make_unique<TldTracker>(config);
}

}  // namespace cltrack
