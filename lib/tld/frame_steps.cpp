// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/frame_steps.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

#include "core/interruption.h"
#include "ops/filter/filter_colors.h"
#include "ops/planes/blur.h"
#include "tld/first_frame.h"
#include "tld/tld_stages.h"

namespace cltrack {
namespace {

// The windows of a frame that are scanned away from the targets' boxes, in grids of the largest
// size.
constexpr std::uint64_t kScansOfFrame = 2;

constexpr float kLikelyMove = 0.5f;  // from frame to frame, heights of a box

}  // namespace

void plan_scans(std::span<Target* const> targets, int steps, bool near, const TldConfig& config) {
  std::uint64_t all = 0;
  for (const Target* target : targets) all += target->grid().size();
  const std::uint64_t most = kScansOfFrame * static_cast<std::uint64_t>(config.max_windows);
  const bool has_turns = config.motion == kCorrelation;
  const std::uint64_t interval =
      has_turns
          ? std::max(static_cast<std::uint64_t>(config.scan_interval), (all + most - 1) / most)
          : 1;
  std::vector<Target*> whole;
  for (Target* target : targets) {
    target->begin_scan(steps, static_cast<int>(interval));
    if (near) target->scan_plan().look_near();
    if (target->scan_plan().is_whole()) whole.push_back(target);
  }
  if (!has_turns) return;
  std::ranges::stable_sort(whole, std::greater(),
                           [](Target* target) { return target->scan_plan().frames_deferred(); });
  std::uint64_t windows = all / interval;
  for (Target* target : whole) {
    windows += target->grid().size() - target->grid().size() / interval;
    if (windows > most && target != whole.front()) target->scan_plan().defer();
  }
}

namespace {

template <typename Items>
int count(const Items& items) {
  return static_cast<int>(items.size());
}

}  // namespace

FrameSteps::FrameSteps(const TldConfig& config, const std::vector<PlacedStage>& placement)
    : config_(config),
      host_(Device::host()->make_queue(config.threads)),
      devices_(placement, host_),
      meters_(devices_, tld_steps(config)),
      estimator_(make_motion_estimator(config, devices_.shared_queue(Stage::motion),
                                       std::ranges::any_of(placement, &PlacedStage::automatic))),
      bank_(config),
      detector_(config) {
  if (config.network) {
    network_ = std::make_unique<NetworkSearch>(config.network->model(),
                                               devices_.shared_queue(Stage::network));
  }
}

void FrameSteps::begin(const TrackedFrame& frame, Targets targets, int steps, bool starts) {
  steps_ = has_before_ ? steps : 0;
  effort_ = has_motion() ? frame.effort : Effort::full;
  near_ = has_motion() && (frame.effort == Effort::near || frame.near_only);
  stop_ = frame.stop;
  host_->set_stop(stop_);
  follow_camera(frame, targets);
  if (!decided_) {  // or else they are where they are on this frame
    plan(targets);
    moving_.clear();
    asked_.clear();
    for (const Target* target : targets) {
      if (!target->is_followed()) continue;
      moving_.push_back({target->id(), target->estimate()->box});
      const bool is_asked = has_turn(*target, config_.network_interval) || target->needs_network();
      if (is_asked && asks_network() && has_motion()) asked_.push_back(moving_.back());
    }
  }
  const auto measure = meters_.measure(Step::planes);
  make_planes(frame, starts);
}

// Of each target, what is looked for on this frame.
void FrameSteps::plan(Targets targets) {
  std::vector<Target*> scanned;
  for (Target* target : targets) {
    const bool waits =
        steps_ == 1 && !has_turn(*target, config_.detector_interval) && !target->needs_detector();
    if (waits || effort_ == Effort::motion) {
      target->scan_plan().skip();
    } else {
      scanned.push_back(target);
    }
  }
  plan_scans(scanned, steps_, near_, config_);
  scans_ = !scanned.empty();
}

// Median flow needs none of it: its points are where they were on the frame before.
void FrameSteps::follow_camera(const TrackedFrame& frame, Targets targets) {
  if (has_followed_camera_ || !config_.camera_compensation || config_.motion != kCorrelation)
    return;
  has_followed_camera_ = true;
  if (std::ranges::none_of(targets, &Target::is_followed)) return camera_.forget();
  const auto measure = meters_.measure(Step::planes);
  const ImageView& luma = frame.luma;
  load(frame.lent.get(), luma);
  const Point shift = camera_.observe(luma, has_motion());
  for (Target* target : targets) {
    if (target->is_followed()) target->follow_camera(shift, luma.width, luma.height);
  }
}

void FrameSteps::make_planes(const TrackedFrame& frame, bool starts) {
  planes_.luma.borrow(frame.luma, frame.lent);
  planes_.starting = {};
  planes_.starting_blurred = {};
  planes_.picture = frame.color.empty() ? luma_picture(frame.luma) : frame.color;
  const bool for_ferns = scans_ || starts;
  if (for_ferns && !together(Stage::ferns, Stage::learn)) {
    std::swap(planes_.blurred, planes_.blurred_before);
  }
  for (const Stage stage : {Stage::motion, Stage::ferns}) {
    if (stage == Stage::ferns && !for_ferns) continue;
    planes_.luma.pixels.stage(
        devices_.queue(stage),
        [this](int parts, const std::function<void(int)>& part) { host_->run(parts, part); });
  }
  Queue& ferns = devices_.queue(Stage::ferns);
  std::vector<PlacedDevices::Work> work = {
      {Stage::motion, [&] { estimator_->begin(frame, planes_.luma, moving_); }}};
  if (for_ferns) {
    work.push_back({Stage::ferns, [&] { blur(ferns, planes_.luma, planes_.blurred); }});
    if (ferns.is_host()) {
      work.push_back({Stage::ferns, [&] { integrate(ferns, planes_.luma, planes_.integrals); }});
    }
  }
  devices_.run_together(work);
  if (frame.lent != nullptr) bring_places();
  if (network_) network_->begin(estimator_->picture());
}

// What targets look like where they will be is compared on the host. Rows that show several of them
// come once.
void FrameSteps::bring_places() {
  std::vector<std::pair<float, float>> rows;  // top and bottom
  for (const MotionTarget& target : moving_) {
    const float margin = kLikelyMove * target.box.height;
    rows.emplace_back(target.box.y - margin, target.box.y + target.box.height + margin);
  }
  std::ranges::sort(rows);
  for (std::size_t i = 0; i < rows.size();) {
    auto [top, bottom] = rows[i];
    while (++i < rows.size() && rows[i].first <= bottom) bottom = std::max(bottom, rows[i].second);
    estimator_->picture().prefetch(devices_.queue(Stage::motion), {0, top, 1, bottom - top});
  }
}

void FrameSteps::find(Targets targets) {
  if (targets.empty()) return;
  throw_if_stopped(stop_);
  if (scans_) {
    const auto measure = meters_.measure(Step::ferns);
    bank_.update(targets);
  }
  search();
  collect(targets);
}

void FrameSteps::search() {
  const auto measured = [this](Step step, const std::function<void()>& work) {
    return [this, step, work] {
      throw_if_stopped(stop_);
      const auto measure = meters_.measure(step);
      work();
    };
  };
  const auto estimate = [this] {
    estimator_->estimate(has_motion() ? std::span<const MotionTarget>(moving_)
                                      : std::span<const MotionTarget>());
  };
  const auto scan = [this] { detector_.scan(devices_.queue(Stage::ferns), planes_, bank_); };
  const auto compare = [this] { detector_.compare(devices_.queue(Stage::nn), planes_, bank_); };
  std::vector<std::vector<PlacedDevices::Work>> chains = {
      {{Stage::motion, measured(Step::motion, estimate)}}};
  if (scans_) {
    chains.push_back(
        {{Stage::ferns, measured(Step::ferns, scan)}, {Stage::nn, measured(Step::nn, compare)}});
  }
  if (!asked_.empty()) {
    chains.push_back(
        {{Stage::network, measured(Step::network, [this] { network_->search(asked_); })}});
  }
  devices_.run(chains);
}

// One wait for all that has been queued on a device.
void FrameSteps::collect(Targets targets) {
  std::vector<std::optional<Motion>> moved;
  {
    const auto measure = meters_.measure(Step::motion);
    devices_.queue(Stage::motion).finish();
    estimator_->picture().arrived();
    moved = estimator_->collect(*host_);
  }
  std::vector<std::optional<NetworkFindings>> searched;
  if (!asked_.empty()) {
    const auto measure = meters_.measure(Step::network);
    searched = network_->collect(*host_);
  }
  std::size_t next = 0, next_asked = 0;
  std::vector<std::optional<Motion>> motions(targets.size());
  std::vector<std::optional<NetworkFindings>> findings(targets.size());
  for (std::size_t i = 0; i < targets.size() && next < moved.size(); ++i) {
    if (!targets[i]->is_followed()) continue;
    motions[i] = moved[next++];
    if (next_asked < searched.size() && asked_[next_asked].id == targets[i]->id()) {
      findings[i] = std::move(searched[next_asked++]);
    }
  }
  if (scans_) {
    const auto measure = meters_.measure(Step::ferns);
    devices_.queue(Stage::ferns).finish();
    while (!detector_.make_room()) {
      detector_.scan(devices_.queue(Stage::ferns), planes_, bank_);
      detector_.compare(devices_.queue(Stage::nn), planes_, bank_);
      devices_.queue(Stage::ferns).finish();
    }
    bank_.save(targets);
  }
  const auto measure = meters_.measure(scans_ ? Step::nn : Step::motion);
  Detector::Found found;
  if (scans_) {
    devices_.queue(Stage::nn).finish();
    found = detector_.collect(bank_);
  }
  host_->run(count(targets), [&](int place) {
    const auto i = static_cast<std::size_t>(place);
    std::optional<std::vector<Detection>> detections;
    if (targets[i]->scan_plan().has_scan()) detections = found.of(i, *targets[i]);
    if (detections) {
      for (Detection& detection : *detections) detection.counts = is_searched(detection.box);
    }
    // A lost target may be found again by motion, too.
    if (motions[i] && !targets[i]->is_seen() && !is_searched(motions[i]->box)) motions[i].reset();
    targets[i]->set_found(motions[i], std::move(detections), planes_, std::move(findings[i]));
  });
}

void FrameSteps::refine(Targets targets) {
  std::vector<std::pair<const Target*, Detection*>> work;
  for (Target* target : targets) {
    for (Detection* detection : target->promising_detections()) work.push_back({target, detection});
  }
  const auto measure = meters_.measure(Step::nn);
  host_->run(count(work), [&](int i) {
    const auto& [target, detection] = work[static_cast<std::size_t>(i)];
    target->refine(*detection);
  });
}

// Lets motion look at places that the detector has found, where the targets want it.
void FrameSteps::verify(Targets targets) {
  std::vector<MotionTarget> places;
  std::vector<Target*> proposers;
  for (Target* target : targets) {
    for (const BoundingBox& box : target->places_to_verify()) {
      places.push_back({target->id(), box});
      proposers.push_back(target);
    }
  }
  if (places.empty()) return;
  // Devices look for both at the same time.
  {
    const auto measure = meters_.measure(Step::motion);
    estimator_->estimate(places);
  }
  if (asks_network()) {
    const auto measure = meters_.measure(Step::network);
    network_->search(places);
  }
  std::vector<std::optional<Motion>> motions;
  {
    const auto measure = meters_.measure(Step::motion);
    motions = estimator_->collect(*host_);
  }
  std::vector<std::optional<NetworkFindings>> findings(places.size());
  if (asks_network()) {
    const auto measure = meters_.measure(Step::network);
    findings = network_->collect(*host_);
  }
  for (std::size_t i = 0; i < proposers.size(); ++i) {
    // A network may follow a lost target to where that is not looked for.
    const bool may_be_there = !findings[i] || proposers[i]->is_seen() || is_searched(places[i].box);
    proposers[i]->verify(places[i].box, motions[i], may_be_there, findings[i]);
  }
}

void FrameSteps::decide(Targets targets, bool learning) {
  if (targets.empty()) return;
  for (Target* target : targets) target->find_owners(targets);
  for (Target* target : targets) target->yield_to_owners();
  refine(targets);
  verify(targets);
  const auto measure = meters_.measure(Step::learn);
  throw_if_stopped(stop_);
  decided_ = true;
  // No decision is taken twice: a stop would leave some targets without theirs, or without a
  // filter.
  host_->set_stop({});
  host_->run(count(targets),
             [&](int i) { targets[static_cast<std::size_t>(i)]->decide(learning); });
  // The place of one target is no place of another.
  host_->run(count(targets),
             [&](int i) { targets[static_cast<std::size_t>(i)]->observe_others(targets); });
  std::vector<MotionTarget> right;
  bool training = false;
  for (const Target* target : targets) {
    if (target->reinitialises_motion()) estimator_->start({target->id(), target->estimate()->box});
    if (target->updates_motion()) right.push_back({target->id(), target->estimate()->box});
    training |= target->training().has_value();
  }
  estimator_->learn(right);
  // Work that one device has to learn runs side by side there.
  if (!training || !together(Stage::motion, Stage::learn)) devices_.queue(Stage::motion).flush();
  if (training) train(targets);
}

// A device's work is queued there: nobody has to wait for it before the next frame.
void FrameSteps::train(Targets targets) {
  CandidateArrays& candidates = detector_.candidates();
  if (!together(Stage::ferns, Stage::learn)) {
    // One wait for what is elsewhere, and no more of it than there is.
    candidates.trim();
    candidates.windows.fetch();
    candidates.codes.fetch();
    planes_.blurred.pixels.fetch();
    devices_.queue(Stage::ferns).finish();
  }
  std::vector<Training> all;
  for (const Target* target : targets) {
    if (!target->training()) continue;
    all.push_back(
        {bank_.place_of(target->id()), &*target->training(), target->model().fern_threshold});
  }
  Queue& queue = devices_.queue(Stage::learn);
  learner_.train(queue, all, planes_, candidates, detector_.candidates_of_targets(), bank_,
                 config_);
  if (!queue.is_host()) bank_.learnt_on_device();
  // For the next scan.
  if (!together(Stage::ferns, Stage::learn)) bank_.tables().posteriors.fetch();
  queue.flush();
}

std::unique_ptr<Target> FrameSteps::start(std::uint64_t id, const BoundingBox& box) {
  throw_if_stopped(stop_);
  const auto measure = meters_.measure(Step::start);
  Plane& blurred = planes_.starting_blurred;
  Queue& ferns = devices_.queue(Stage::ferns);
  if (!ferns.is_host() && planes_.starting.sums.empty()) {
    reference::integrate(planes_.luma.host_view(), planes_.starting);
  }
  if (ferns.recording() != nullptr && blurred.pixels.size() == 0) {
    // To memory that is not kept: drivers seem to count pinned memory as the device's.
    blurred.layout = planes_.blurred.layout;
    planes_.blurred.pixels.fetch(0, planes_.blurred.pixels.size(), blurred.pixels);
  }
  ScanGrid grid(box.width, box.height, planes_.luma.width(), planes_.luma.height(), config_);
  FirstFrame first = learn_first_frame(box, grid, planes_, config_, config_.seed + id, *host_);
  estimator_->start({id, first.box});
  if (network_) first.model.shown = network_->start(id, first.given, first.box, *host_);
  auto target = std::make_unique<Target>(id, std::move(first), std::move(grid), config_);
  target->begin(planes_);
  return target;
}

void FrameSteps::begin_motion(Targets targets) {
  for (Target* target : targets) {
    if (!target->estimate() || target->has_begun()) continue;
    estimator_->start({target->id(), target->estimate()->box});
    if (network_) {
      const BoundingBox& box = target->estimate()->box;
      TemplatePixels& shown = target->model().shown;
      if (shown.empty()) {
        shown = network_->start(target->id(), box, box, *host_);
      } else {
        network_->restart(target->id(), shown, box, *host_);
      }
    }
    target->begin(planes_);
  }
}

void FrameSteps::remove(std::uint64_t id) {
  estimator_->remove(id);
  if (network_) network_->remove(id);
}

FernTables FrameSteps::fern_tables(const Target& target) const { return bank_.read(target); }

void FrameSteps::end() {
  {
    const auto measure = meters_.measure(Step::planes);
    if (network_) network_->end();
    estimator_->end();
    planes_.luma.release();
    planes_.starting = {};
    planes_.starting_blurred = {};
  }
  has_before_ = true;
  ++frames_;
  has_followed_camera_ = decided_ = false;
  stop_ = {};
  host_->set_stop({});
  meters_.end_frame();
}

void FrameSteps::place(const std::vector<PlacedStage>& placement, Targets targets) {
  planes_.clear();
  PlacedDevices devices(placement, host_);
  estimator_->place(devices.shared_queue(Stage::motion), has_before_);
  if (network_) network_->place(devices.shared_queue(Stage::network));
  bank_.leave_devices(targets);
  detector_ = Detector(config_);
  learner_ = {};
  devices_ = std::move(devices);
  meters_.forget_latest();
}

void FrameSteps::reset() noexcept {
  abandon();
  estimator_->reset();
  if (network_) network_->reset();
  bank_.clear();
}

void FrameSteps::abandon() noexcept {
  planes_.clear();
  estimator_->abandon();
  if (network_) network_->abandon();
  camera_.forget();
  has_before_ = has_followed_camera_ = decided_ = false;
  stop_ = {};
  host_->set_stop({});
}

}  // namespace cltrack
