// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cltrack/template_tracker.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "core/interruption.h"
#include "core/target_count.h"
#include "match/fixed_target.h"
#include "match/frame_search.h"
#include "match/template_stages.h"
#include "match/template_target.h"
#include "placement/auto_placement.h"
#include "placement/stage_meters.h"

namespace cltrack {
namespace {

constexpr std::size_t kMatch = 0;  // the stage, and the step

class MatchTracker final : public TemplateTracker {
 public:
  MatchTracker(const TemplateConfig& config, std::shared_ptr<TrackerDevices> devices)
      : config_(config),
        pool_(config.threads),
        auto_(std::move(devices)),
        placed_(auto_.placement(), Device::host()->make_queue()),
        meters_(placed_, {{"match", {kMatch}}}),
        search_(config_, placed_.shared_queue(kMatch), pool_),
        learning_(config.learning) {}

  std::uint64_t add(const BoundingBox& box, std::string_view label) override;
  std::uint64_t add_template(const ImageView& picture, std::string_view label) override;
  bool remove(std::uint64_t id) override;
  void reset() override;
  void set_learning(bool learning) override { learning_ = learning; }
  std::span<const Track> process(const Frame& frame) override;
  TrackerStats stats() const override;
  std::vector<std::string> take_warnings() override;

 private:
  struct Entry {
    Track track;
    BoundingBox given;                    // as added; of a picture its size
    bool is_picture = false;              // and not a box
    std::unique_ptr<MatchTarget> target;  // null before the first frame, and if it is refused
    bool is_new() const { return track.age == 0; }
  };

  std::uint64_t add_entry(Entry entry, std::string_view label);
  std::unique_ptr<MatchTarget> make_target(const ImageView& picture, const BoundingBox& box,
                                           bool is_there) const;
  void start(Entry& entry, const ImageView& picture);
  void follow(const Frame& frame);
  void search(const Frame& frame, const std::vector<MatchTarget*>& targets);
  void place();
  void rescale(int width, int height);
  static void report(Entry& entry, std::int64_t pts);

  const TemplateConfig config_;
  ThreadPool pool_;
  AutoPlacement auto_;
  PlacedDevices placed_;
  StageMeters meters_;
  FrameSearch search_;
  bool learning_;
  std::vector<Entry> entries_;
  std::vector<Track> tracks_;
  std::vector<std::string> warnings_;
  int width_ = 0;
  int height_ = 0;
  std::uint64_t last_id_ = 0;
  std::uint64_t frames_ = 0;
};

std::uint64_t MatchTracker::add_entry(Entry entry, std::string_view label) {
  check_target_count(entries_.size(), config_.max_targets);
  entry.track.id = ++last_id_;
  entry.track.label = label;
  entries_.push_back(std::move(entry));
  return last_id_;
}

std::uint64_t MatchTracker::add(const BoundingBox& box, std::string_view label) {
  constexpr int any = 1 << 24;  // no frame is known yet: any that holds the box would do
  if (!box.is_valid()) clip_target(box, any, any);
  clip_target({0, 0, box.width, box.height}, any, any);
  return add_entry({.track = {}, .given = box, .is_picture = false, .target = nullptr}, label);
}

std::uint64_t MatchTracker::add_template(const ImageView& picture, std::string_view label) {
  constexpr int any = std::numeric_limits<int>::max();
  check_template_size(picture.width, picture.height, any, any);
  const BoundingBox box = {0, 0, static_cast<float>(picture.width),
                           static_cast<float>(picture.height)};
  auto target = make_target(picture, box, false);
  return add_entry({.track = {}, .given = box, .is_picture = true, .target = std::move(target)},
                   label);
}

bool MatchTracker::remove(std::uint64_t id) {
  return std::erase_if(entries_, [id](const Entry& entry) { return entry.track.id == id; }) > 0;
}

void MatchTracker::reset() {
  entries_.clear();
  tracks_.clear();
  warnings_.clear();
  meters_.reset();
  width_ = height_ = 0;
  last_id_ = frames_ = 0;
}

std::unique_ptr<MatchTarget> MatchTracker::make_target(const ImageView& picture,
                                                       const BoundingBox& box,
                                                       bool is_there) const {
  if (config_.search == TemplateSearch::frame) {
    return std::make_unique<FixedTarget>(picture, box, is_there, config_);
  }
  return std::make_unique<TemplateTarget>(picture, box, is_there, config_);
}

void MatchTracker::start(Entry& entry, const ImageView& picture) {
  try {
    if (entry.is_picture) {
      check_template_size(static_cast<int>(entry.given.width), static_cast<int>(entry.given.height),
                          width_, height_);
    } else {
      entry.target = make_target(picture, clip_target(entry.given, width_, height_), true);
    }
  } catch (const Error& error) {
    if (error.code() != ErrorCode::invalid_argument) throw;
    entry.target = nullptr;
    warnings_.push_back("target " + std::to_string(entry.track.id) +
                        " stays lost: " + error.what());
  }
}

std::span<const Track> MatchTracker::process(const Frame& frame) {
  if (frame.luma.empty()) {
    throw Error(ErrorCode::invalid_argument, "a frame without pixels cannot be processed");
  }
  if (frame.luma.width != width_ || frame.luma.height != height_) {
    rescale(frame.luma.width, frame.luma.height);
  }
  tracks_.clear();
  if (entries_.empty()) {
    ++frames_;
    return tracks_;
  }
  try {
    follow(frame);
  } catch (...) {
    // Where a new target was given is where it is on a whole frame.
    for (Entry& entry : entries_) {
      if (entry.is_new() && !entry.is_picture) entry.target.reset();
    }
    throw;
  }
  meters_.end_frame();
  ++frames_;
  for (Entry& entry : entries_) {
    report(entry, frame.pts);
    tracks_.push_back(entry.track);
  }
  return tracks_;
}

void MatchTracker::follow(const Frame& frame) {
  std::optional<StageMeters::Measure> measure(std::in_place, meters_, kMatch);
  for (Entry& entry : entries_) {
    throw_if_stopped(frame.stop);
    if (entry.is_new() && (entry.is_picture || !entry.target)) start(entry, frame.luma);
  }
  std::vector<MatchTarget*> followed;
  for (Entry& entry : entries_) {
    // A box is where the target is on its first frame.
    if (entry.target && (!entry.is_new() || entry.is_picture))
      followed.push_back(entry.target.get());
  }
  pool_.run(
      static_cast<int>(followed.size()),
      [&](int i) {
        followed[static_cast<std::size_t>(i)]->follow(frame.luma, !frame.discontinuity);
      },
      frame.stop);
  measure.reset();
  search(frame, followed);
  if (!learning_) return;
  measure.emplace(meters_, kMatch);
  pool_.run(
      static_cast<int>(followed.size()),
      [&](int i) { followed[static_cast<std::size_t>(i)]->learn(frame.luma); }, frame.stop);
}

// It alone depends on the device: after one has failed, it goes on elsewhere.
void MatchTracker::search(const Frame& frame, const std::vector<MatchTarget*>& targets) {
  std::vector<MatchTarget*> missing;
  std::ranges::copy_if(targets, std::back_inserter(missing), &MatchTarget::wants_frame);
  if (missing.empty()) return;
  auto next = missing.begin();
  auto_.process(
      width_, height_, [this] { place(); },
      [&] {
        const auto measure = meters_.measure(kMatch);
        for (; next != missing.end(); ++next) {
          throw_if_stopped(frame.stop);
          (*next)->look_everywhere(frame.luma, search_);
        }
        return static_cast<int>(missing.size());
      });
}

void MatchTracker::place() {
  placed_ = PlacedDevices(auto_.placement(), Device::host()->make_queue());
  search_.place(placed_.shared_queue(kMatch));
  meters_.forget_latest();
}

std::vector<std::string> MatchTracker::take_warnings() {
  std::vector<std::string> all = auto_.take_warnings();
  std::ranges::move(std::exchange(warnings_, {}), std::back_inserter(all));
  return all;
}

void MatchTracker::report(Entry& entry, std::int64_t pts) {
  Track& track = entry.track;
  ++track.age;
  if (!entry.target || entry.target->state() == TrackState::lost) {
    track.box = {};
    track.confidence = 0;
    track.state = TrackState::lost;
    return;
  }
  track.box = entry.target->box();
  track.confidence = entry.target->confidence();
  track.state = entry.target->state();
  track.last_seen = pts;
}

void MatchTracker::rescale(int width, int height) {
  if (width_ > 0) {
    const float scale_x = static_cast<float>(width) / static_cast<float>(width_);
    const float scale_y = static_cast<float>(height) / static_cast<float>(height_);
    for (Entry& entry : entries_) {
      if (entry.target && !entry.is_new()) entry.target->rescale(scale_x, scale_y);
    }
  }
  width_ = width;
  height_ = height;
}

TrackerStats MatchTracker::stats() const {
  TrackerStats stats;
  stats.frames = frames_;
  stats.stages = meters_.stats();
  for (const Entry& entry : entries_) {
    if (!entry.target) continue;
    stats.targets.push_back({.id = entry.track.id, .positive_patches = entry.target->templates()});
  }
  return stats;
}

}  // namespace

void check_template_size(int width, int height, int frame_width, int frame_height) {
  const bool too_large = width > frame_width || height > frame_height;
  if (!too_large && static_cast<float>(std::min(width, height)) >= kMinimumBoxSide) return;
  std::ostringstream message;
  message << "a template of " << width << "x" << height << " pixels ";
  if (too_large) {
    message << "does not fit into a frame of " << frame_width << "x" << frame_height
            << " pixels: reduce it";
  } else {
    message << "is too small: at least " << kMinimumBoxSide << "x" << kMinimumBoxSide
            << " pixels are needed";
  }
  throw Error(ErrorCode::invalid_argument, message.str());
}

std::shared_ptr<TrackerDevices> open_devices(const TemplateConfig& config) {
  validate(config);
  return std::make_shared<TrackerDevices>(template_kind(config), config.placement);
}

std::unique_ptr<TemplateTracker> make_template_tracker(const TemplateConfig& config) {
  return make_template_tracker(config, open_devices(config));
}

std::unique_ptr<TemplateTracker> make_template_tracker(const TemplateConfig& config,
                                                       std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<MatchTracker>(config, check_kind(std::move(devices), kTemplateName));
}

}  // namespace cltrack
