// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "core/random.h"
#include "core/target_table.h"
#include "core/timing.h"
#include "placement/tracker_base.h"
#include "tld/frame_steps.h"
#include "tld/hypotheses.h"
#include "tld/saved_model.h"
#include "tld/target.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

// A target, or what was learnt about it before its first frame here.
struct KnownTarget {
  std::unique_ptr<Target> target = {};
  std::optional<SavedModel> saved = {};

  explicit operator bool() const { return target != nullptr; }
  Target* operator->() const { return target.get(); }
};

class TldTracker final : public TrackerBase<KnownTarget> {
 public:
  TldTracker(const TldConfig& config, std::shared_ptr<TrackerDevices> devices)
      : TrackerBase(TargetLimit::of_config(config.max_targets), std::move(devices)),
        config_(config),
        steps_(config, auto_.placement()),
        learning_(config.learning) {}

  SavedModel save(std::uint64_t id) override;
  void set_learning(bool learning) override { learning_ = learning; }
  void set_search_region(const SearchRegion& region) override { steps_.set_search_region(region); }
  Hypotheses hypotheses(std::uint64_t id) const;

 private:
  KnownTarget make(const Seed& seed) const override;
  std::span<const Track> track(const TrackedFrame& frame) override;
  void forget() override;
  std::optional<TargetStats> stats_of(const Entry& entry) const override;
  const StageMeters& meters() const override { return steps_.meters(); }
  Queue& host() override { return steps_.host(); }

  void restore(Entry& entry) const;
  // `steps`: see FrameSteps::begin().
  void follow(const TrackedFrame& frame, int steps);
  std::vector<Target*> targets();
  void start(Entry& entry);
  std::optional<Sighting> sighting(const Entry& entry) const;

  TldConfig config_;
  FrameSteps steps_;
  bool learning_;
  FramePace pace_;
};

KnownTarget TldTracker::make(const Seed& seed) const {
  const auto* saved = std::get_if<SavedModel>(&seed);
  if (saved == nullptr) refuse_seed(seed, "TLD", "a box or a saved model");
  check_ferns(saved->target(), config_);
  return {.saved = *saved};
}

SavedModel TldTracker::save(std::uint64_t id) {
  const auto found =
      std::ranges::find(table_.entries(), id, [](const Entry& entry) { return entry.track.id; });
  if (found == table_.entries().end() || !found->target) {
    throw Error(ErrorCode::invalid_argument,
                "nothing has been learnt about it: it is not there, or no frame has shown it yet");
  }
  const Target& target = *found->target.target;
  return SavedModel(std::make_shared<const SavedTarget>(
      save_target(target.model(), steps_.fern_tables(target), table_.width(), table_.height())));
}

void TldTracker::forget() {
  steps_.reset();
  steps_.meters().reset();
  pace_.reset();
}

std::span<const Track> TldTracker::track(const TrackedFrame& frame) {
  check_luma(frame);
  const int steps = pace_.observe(frame.pts, !frame.discontinuity);
  for (const std::uint64_t number : table_.update().removed) steps_.remove(number);
  const int width = frame.luma.width, height = frame.luma.height;
  const bool resized = table_.resize(width, height, [&](Entry& entry, float x, float y) {
    if (entry.target) entry.target->rescale(x, y, width, height);
  });
  if (resized) steps_.forget_before();
  for (Entry& entry : table_.entries()) {
    if (entry.target.saved) restore(entry);
  }
  if (table_.entries().empty()) {
    steps_.forget_before();  // not worth keeping up to date
  } else {
    try {
      follow(frame, frame.discontinuity ? 0 : steps);
    } catch (...) {
      steps_.abandon();
      throw;
    }
  }
  return table_.report(frame.pts, [this](const Entry& entry) { return sighting(entry); });
}

void TldTracker::restore(Entry& entry) const {
  const int width = table_.width(), height = table_.height();
  TargetModel model = restore_model(std::exchange(entry.target.saved, {})->target(), config_,
                                    config_.seed + entry.number, width, height);
  ScanGrid grid(model.width, model.height, width, height, config_);
  entry.target.target =
      std::make_unique<Target>(entry.number, std::move(model), std::move(grid), config_);
}

std::vector<Target*> TldTracker::targets() {
  std::vector<Target*> all;
  for (Entry& entry : table_.entries()) {
    if (entry.target) all.push_back(entry.target.target.get());
  }
  return all;
}

void TldTracker::follow(const TrackedFrame& frame, int steps) {
  std::vector<Target*> to_decide;  // all but those that were moved on this frame
  for (Entry& entry : table_.entries()) {
    if (!entry.target) continue;
    if (entry.place) {
      put_in_place(entry, [&](const BoundingBox& box) { entry.target->move_to(box); });
    }
    if (!entry.place) to_decide.push_back(entry.target.target.get());
  }
  const bool starts = std::ranges::any_of(
      table_.entries(), [](const Entry& entry) { return !entry.target && entry.place; });
  const std::vector<Target*> followed = targets();
  const auto with_box = std::ranges::count_if(
      followed, [](const Target* target) { return target->estimate().has_value(); });
  const auto place = [&] { steps_.place(auto_.placement(), targets()); };
  // It may begin again on another device. No decision is taken twice.
  auto_.process(table_.width(), table_.height(), place, [&] {
    steps_.begin(frame, followed, steps, starts);
    if (!steps_.has_decided()) {
      steps_.find(followed);
      steps_.decide(to_decide, learning_);
    }
    steps_.begin_motion(followed);
    bool is_typical = steps_.has_motion() && steps_.effort() == Effort::full && steps_.has_scan() &&
                      to_decide.size() == followed.size();
    for (Entry& entry : table_.entries()) {
      if (entry.target || !entry.place) continue;
      start(entry);
      is_typical = false;
    }
    steps_.end();
    return is_typical ? static_cast<int>(with_box) : 0;
  });
}

void TldTracker::start(Entry& entry) {
  put_in_place(entry, [&](const BoundingBox& box) {
    entry.target = {.target = steps_.start(entry.number, box)};
    entry.starts = true;
  });
}

std::optional<Sighting> TldTracker::sighting(const Entry& entry) const {
  if (!entry.target) return Sighting{.reason = "refused"};
  if (entry.place) {
    return Sighting{clip_to_frame(*entry.place, table_.width(), table_.height()), 1,
                    TrackState::tracking};
  }
  return entry.target->report();
}

std::optional<TargetStats> TldTracker::stats_of(const Entry& entry) const {
  if (!entry.target) return std::nullopt;
  return TargetStats{.windows = entry.target->grid().size(),
                     .positive_patches = entry.target->model().patches.positives().size(),
                     .negative_patches = entry.target->model().patches.negatives().size()};
}

Hypotheses TldTracker::hypotheses(std::uint64_t id) const {
  for (const Entry& entry : table_.entries()) {
    if (entry.track.id == id && entry.target) return entry.target->hypotheses();
  }
  return {};
}

}  // namespace

Hypotheses hypotheses_of(const Tracker& tracker, std::uint64_t id) {
  const auto* const tld = dynamic_cast<const TldTracker*>(&tracker);
  return tld != nullptr ? tld->hypotheses(id) : Hypotheses{};
}

std::shared_ptr<TrackerDevices> open_devices(const TldConfig& config) {
  validate(config);
  Placement placement = config.placement;
  if (!config.network) placement.stages.erase(std::string(kTldStages[Stage::network].name));
  return std::make_shared<TrackerDevices>(tld_kind(config), placement);
}

std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config) {
  return make_tld_tracker(config, open_devices(config));
}

std::unique_ptr<Tracker> make_tld_tracker(const TldConfig& config,
                                          std::shared_ptr<TrackerDevices> devices) {
  validate(config);
  return std::make_unique<TldTracker>(config, check_kind(std::move(devices), kTldName));
}

namespace {

constexpr int kWidth = 160;
constexpr int kHeight = 120;
// The first frame teaches; the second is found again, compared and learnt from; a third uses what
// was learnt there.
constexpr int kFrames = 3;

// Noise in blocks, so that something of it is left after blurring.
Image noise() {
  constexpr int kBlock = 4;
  Random random(1);
  std::array<std::uint8_t, (kWidth / kBlock) * (kHeight / kBlock)> blocks;
  for (std::uint8_t& block : blocks) block = static_cast<std::uint8_t>(random.below(256));
  Image image(kWidth, kHeight);
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      image.row(y)[x] =
          blocks[static_cast<std::size_t>(y / kBlock * (kWidth / kBlock) + x / kBlock)];
    }
  }
  return image;
}

}  // namespace

// Follows a target through a few made-up frames. Takes some milliseconds when all is compiled.
void warm_up(const TldConfig& config, const std::vector<PlacedStage>& placement,
             const std::stop_token& stop) {
  TldConfig small = config;
  small.threads = 1;
  // Few windows, that pass as before: what is compiled is the same.
  small.scales_each_way = std::min(config.scales_each_way, 1);
  small.first_warps.warps = 1;
  const Image image = noise();
  const Frame frame{.luma = image.view(), .stop = stop};

  FrameSteps steps(small, placement);
  std::unique_ptr<Target> target;
  for (int i = 0; i < kFrames; ++i) {
    std::array<Target*, 1> one = {target.get()};
    const FrameSteps::Targets targets = target ? FrameSteps::Targets(one) : FrameSteps::Targets();
    steps.begin(frame, targets, 1);
    steps.find(targets);
    steps.decide(targets, true);
    if (!target) target = steps.start(1, {60, 40, 40, 40});
    steps.end();
  }
}

}  // namespace cltrack
