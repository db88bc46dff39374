// SPDX-License-Identifier: LGPL-2.1-or-later
#include "match/template_stages.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "cltrack/error.h"
#include "cltrack/template_tracker.h"
#include "core/config_check.h"
#include "core/interruption.h"
#include "core/owners.h"
#include "core/target_table.h"
#include "match/frame_search.h"
#include "match/template_target.h"
#include "ops/match/best_match.h"
#include "placement/placed_devices.h"
#include "placement/stage_meters.h"
#include "placement/tracker_base.h"

namespace cltrack {
namespace {

constexpr int kSide = 128;

void warm_up(const TemplateConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  throw_if_stopped(stop);
  const PlacedDevices devices(placement, Device::host()->make_queue());
  FrameSearch search(config, devices.shared_queue(0));
  Image picture(kSide, kSide);
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) picture.row(y)[x] = static_cast<std::uint8_t>(x * y);
  }
  FixedTarget target(picture.view(), {0, 0, kSide / 4, kSide / 4}, false, config);
  target.search_frame(picture.view(), search);
}

}  // namespace

TrackerKind template_kind(const TemplateConfig& config) {
  return {.name = kTemplateName,
          .stages = kTemplateStages,
          .settings = field_settings(config, template_fields()),
          .programs = [](std::size_t, const Device& device) { return match_programs(device); },
          .warm_up = [config](const std::vector<PlacedStage>& placement,
                              const std::stop_token& stop) { warm_up(config, placement, stop); }};
}

namespace {

constexpr std::size_t kMatch = 0;  // the stage, and the step
constexpr OnePlace kOnePlace{share_of_smaller, 0.5f};

// Null: a box without its first frame, or one that could not be a target.
class MatchTracker final : public TrackerBase<std::unique_ptr<MatchTarget>> {
 public:
  MatchTracker(const TemplateConfig& config, std::shared_ptr<TrackerDevices> devices)
      : TrackerBase(TargetLimit::of_config(config.max_targets), std::move(devices)),
        config_(config),
        host_(Device::host()->make_queue(config.threads)),
        placed_(auto_.placement(), host_),
        meters_(placed_, {{"match", {kMatch}}}),
        search_(config_, placed_.shared_queue(kMatch)),
        learning_(config.learning) {}

  bool move(std::uint64_t id, const BoundingBox& box) override;
  void set_learning(bool learning) override { learning_ = learning; }
  void set_search_region(const SearchRegion& region) override { search_.set_region(region); }

 private:
  std::unique_ptr<MatchTarget> make(const Seed& seed) const override;
  std::span<const Track> track(const TrackedFrame& frame) override;
  void forget() override;
  std::optional<TargetStats> stats_of(const Entry& entry) const override;
  const StageMeters& meters() const override { return meters_; }
  Queue& host() override { return *host_; }

  std::unique_ptr<MatchTarget> make_target(const ImageView& picture, const BoundingBox& box,
                                           bool is_there) const;
  void prepare(Entry& entry, const ImageView& picture);
  void follow(const Frame& frame);
  void search(const Frame& frame, const std::vector<MatchTarget*>& targets);
  void find_owners();
  void move_stage();
  static std::optional<Sighting> sighting(const Entry& entry);

  const TemplateConfig config_;
  std::shared_ptr<Queue> host_;
  PlacedDevices placed_;
  StageMeters meters_;
  FrameSearch search_;
  bool learning_;
  std::set<std::pair<std::uint64_t, std::uint64_t>>
      initial_overlaps_;  // numbers, the smaller one first
};

std::unique_ptr<MatchTarget> MatchTracker::make(const Seed& seed) const {
  const auto* picture = std::get_if<ImageView>(&seed);
  if (picture == nullptr) refuse_seed(seed, "template matching", "a box or a picture");
  constexpr int any = std::numeric_limits<int>::max();  // no frame is known yet
  check_template_size(picture->width, picture->height, any, any);
  return make_target(
      *picture, {0, 0, static_cast<float>(picture->width), static_cast<float>(picture->height)},
      false);
}

bool MatchTracker::move(std::uint64_t id, const BoundingBox& box) {
  if (config_.search == TemplateSearch::frame) {
    throw Error(ErrorCode::invalid_argument,
                "targets cannot be moved with search=frame, which takes the best place of the "
                "whole frame: use search=window, or remove the target and add it again");
  }
  return TrackerBase::move(id, box);
}

void MatchTracker::forget() {
  initial_overlaps_.clear();
  meters_.reset();
}

std::unique_ptr<MatchTarget> MatchTracker::make_target(const ImageView& picture,
                                                       const BoundingBox& box,
                                                       bool is_there) const {
  if (config_.search == TemplateSearch::frame) {
    return std::make_unique<FixedTarget>(picture, box, is_there, config_);
  }
  return std::make_unique<TemplateTarget>(picture, box, is_there, config_);
}

// Makes a target of a new box, checks that a new picture fits, or moves a known target.
void MatchTracker::prepare(Entry& entry, const ImageView& picture) {
  if (entry.target && entry.is_new()) {
    const BoundingBox& box = entry.target->box();
    try {
      check_template_size(static_cast<int>(box.width), static_cast<int>(box.height), table_.width(),
                          table_.height());
    } catch (const Error& error) {
      entry.target = nullptr;
      refuse_place(entry, error);
    }
  }
  if (!entry.place) return;
  put_in_place(entry, [&](const BoundingBox& box) {
    if (entry.target && entry.target->move_to(picture, box)) return;
    auto target = make_target(picture, box, true);
    entry.starts = !entry.target;
    entry.target = std::move(target);
  });
}

std::span<const Track> MatchTracker::track(const TrackedFrame& frame) {
  check_luma(frame);
  table_.update();
  table_.resize(frame.luma.width, frame.luma.height, [this](Entry& entry, float x, float y) {
    if (!entry.target || entry.is_new()) return;
    try {
      entry.target->rescale(x, y);
    } catch (const Error& error) {  // templates have a largest size
      entry.target = nullptr;
      warn_of(entry, error);
    }
  });
  if (!table_.entries().empty()) {
    load(frame.lent.get(), frame.luma);  // all but the search of whole frames is done on the host
    follow(frame);
    meters_.end_frame();
  }
  return table_.report(frame.pts, sighting);
}

void MatchTracker::follow(const Frame& frame) {
  std::optional<StageMeters::Measure> measure(std::in_place, meters_, kMatch);
  host_->set_stop(frame.stop);
  for (Entry& entry : table_.entries()) {
    throw_if_stopped(frame.stop);
    prepare(entry, frame.luma);
  }
  std::vector<MatchTarget*> followed;
  for (Entry& entry : table_.entries()) {
    if (entry.target && !entry.place) followed.push_back(entry.target.get());
  }
  const auto for_each = [&](const auto& step) {
    host_->run(static_cast<int>(followed.size()),
               [&](int i) { step(*followed[static_cast<std::size_t>(i)]); });
  };
  for_each([&](MatchTarget& target) {
    target.follow(frame.luma, !frame.discontinuity, search_.region());
  });
  measure.reset();
  search(frame, followed);
  find_owners();
  if (!learning_) return;
  measure.emplace(meters_, kMatch);
  for_each([&](MatchTarget& target) { target.learn(frame.luma); });
}

// A place has one owner; see core/owners.h.
void MatchTracker::find_owners() {
  if (config_.search == TemplateSearch::frame) return;  // has no memory of who was where
  const auto is_there = [](const Entry& entry) {
    return entry.target && entry.target->state() != TrackState::lost;
  };
  const auto claim = [](const Entry& entry) {
    return PlaceClaim{std::tuple(overlap(entry.track.box, entry.target->box()),
                                 entry.target->confidence(),
                                 -static_cast<std::int64_t>(entry.number))};
  };
  std::vector<Entry>& entries = table_.entries();
  for (auto a = entries.begin(); a != entries.end(); ++a) {
    for (auto b = std::next(a); b != entries.end(); ++b) {
      const std::pair numbers(a->number, b->number);
      if (a->place || b->place) initial_overlaps_.erase(numbers);
      if (!is_there(*a) || !is_there(*b) || !kOnePlace.has(a->target->box(), b->target->box())) {
        continue;
      }
      if (a->place || b->place) initial_overlaps_.insert(numbers);
      if (initial_overlaps_.contains(numbers)) continue;
      (yields(claim(*a), claim(*b)) ? a : b)->target->yield();
    }
  }
}

// The only part that depends on the device; after a device has failed, it continues elsewhere.
void MatchTracker::search(const Frame& frame, const std::vector<MatchTarget*>& targets) {
  std::vector<MatchTarget*> missing;
  const bool has_time = (frame.effort == Effort::full && !frame.near_only) || frame.discontinuity;
  std::ranges::copy_if(targets, std::back_inserter(missing), [&](const MatchTarget* target) {
    return target->wants_frame() && (has_time || !target->can_wait());
  });
  if (missing.empty()) return;
  auto next = missing.begin();
  auto_.process(
      table_.width(), table_.height(), [this] { move_stage(); },
      [&] {
        const auto measure = meters_.measure(kMatch);
        for (; next != missing.end(); ++next) {
          throw_if_stopped(frame.stop);
          (*next)->search_frame(frame.luma, search_);
        }
        return static_cast<int>(missing.size());
      });
}

void MatchTracker::move_stage() {
  placed_ = PlacedDevices(auto_.placement(), host_);
  search_.place(placed_.shared_queue(kMatch));
  meters_.forget_latest();
}

std::optional<Sighting> MatchTracker::sighting(const Entry& entry) {
  if (!entry.target) return Sighting{.reason = "refused"};
  if (entry.target->state() == TrackState::lost) return Sighting{.reason = entry.target->loss()};
  return Sighting{entry.target->box(), entry.target->confidence(), entry.target->state()};
}

std::optional<TargetStats> MatchTracker::stats_of(const Entry& entry) const {
  if (!entry.target) return std::nullopt;
  return TargetStats{.positive_patches = entry.target->templates()};
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

std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config) {
  return make_template_tracker(config, open_devices(config));
}

std::unique_ptr<Tracker> make_template_tracker(const TemplateConfig& config,
                                               std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<MatchTracker>(config, check_kind(std::move(devices), kTemplateName));
}

}  // namespace cltrack
