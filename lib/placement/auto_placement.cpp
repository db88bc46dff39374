// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/auto_placement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/log.h"
#include "core/thread_pool.h"
#include "placement/candidate_devices.h"
#include "placement/tracker_kind.h"

namespace cltrack {
namespace {

constexpr int kMostMixes = 6;

using Places = PlacementTrials::Places;

double median(std::vector<double> values) {
  const auto middle = values.begin() + (std::ssize(values) - 1) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

template <typename Results>
auto find_places(Results& results, const Places& places) {
  return std::find_if(results.begin(), results.end(),
                      [&](const auto& result) { return result.places == places; });
}

}  // namespace

PlacementTrials::PlacementTrials(const std::vector<bool>& movable, const Groups& groups)
    : movable_(movable), groups_(1), start_(movable.size()), current_(start_) {
  for (std::size_t stage = 0; stage < movable.size(); ++stage) {
    groups_.front().push_back(stage);
    groups_.push_back({stage});
  }
  groups_.insert(groups_.end(), groups.begin(), groups.end());
}

bool PlacementTrials::uses(const Places& places, int device) const {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (movable_[i] && places[i] == device) return true;
  }
  return false;
}

void PlacementTrials::offer(int device) {
  if (std::find(movable_.begin(), movable_.end(), true) == movable_.end()) return;
  devices_.push_back(device);
  if (!trying_) {
    start_round();
  } else {
    queue_groups(device);
    in_finals_ = false;
    finals_.clear();
  }
}

void PlacementTrials::withdraw(int device) {
  std::erase(devices_, device);
  const auto gone = [&](const auto& result) { return uses(result.places, device); };
  std::erase_if(results_, gone);
  std::erase_if(queue_, [&](const Places& places) { return uses(places, device); });
  if (in_finals_) queue_.clear();
  in_finals_ = false;
  finals_.clear();
  if (!uses(current_, device)) return;
  current_ = start_;
  times_.clear();
  if (trying_) {
    next_trial();
  } else if (chosen_) {
    choose();
  }
}

void PlacementTrials::restart() {
  if (!trying_ && !chosen_) return;  // no results yet
  if (rounds_ < kMostRounds) {
    ++rounds_;
    start_round();
  } else if (trying_) {
    // Times that do not become stable: the stages stay on the host.
    trying_ = false;
    chosen_ = true;
    current_ = start_;
    results_.clear();
  }
}

void PlacementTrials::start_round() {
  if (rounds_ == 0) rounds_ = 1;
  queue_.clear();
  results_.clear();
  finals_.clear();
  times_.clear();
  in_finals_ = false;
  mixes_ = 0;
  load_.reset();
  other_load_ = 0;
  current_ = start_;
  trying_ = true;
  queue(start_);
  for (const int device : devices_) queue_groups(device);
  next_trial();
}

void PlacementTrials::queue(const Places& places) {
  if (find_places(results_, places) != results_.end()) return;
  if (std::find(queue_.begin(), queue_.end(), places) != queue_.end()) return;
  queue_.push_back(places);
}

void PlacementTrials::queue_groups(int device) {
  for (const std::vector<std::size_t>& group : groups_) {
    Places places = start_;
    for (const std::size_t stage : group) {
      if (movable_[stage]) places[stage] = device;
    }
    if (places != start_) queue(places);
  }
}

void PlacementTrials::add(double ms, int load) {
  if (!trying_) return;
  if (!load_) load_ = load;
  if (load != *load_) {
    if (++other_load_ >= kOtherLoad) restart();
    return;
  }
  other_load_ = 0;
  times_.push_back(ms);
  const Result* const fastest = best();
  const auto frames = static_cast<std::size_t>(in_finals_ ? kFinalFrames : kFrames);
  const double least = times_.size() < 3 ? 0 : *std::min_element(times_.begin() + 1, times_.end());
  if (fastest != nullptr && least > kHopeless * fastest->ms) {
    times_.assign(1, least);
    finish_trial(true);
  } else if (times_.size() >= kWarmFrames + frames) {
    times_.erase(times_.begin(), times_.begin() + kWarmFrames);
    finish_trial(false);
  }
}

void PlacementTrials::finish_trial(bool ended_early) {
  const Result result{current_, median(times_), ended_early};
  times_.clear();
  const auto known = find_places(results_, current_);
  if (in_finals_) {
    finals_.push_back(result);
  } else if (known != results_.end()) {
    *known = result;  // a final that ended early
  } else {
    results_.push_back(result);
  }
  next_trial();
}

void PlacementTrials::next_trial() {
  if (queue_.empty() && !in_finals_ && !queue_mixes()) in_finals_ = queue_finals();
  if (queue_.empty()) return choose();
  current_ = queue_.front();
  queue_.pop_front();
}

// Combines placements that move different stages: each of them should still save its time.
bool PlacementTrials::queue_mixes() {
  const auto base = time_of(start_);
  const Result* const fastest = best();
  if (!base || fastest == nullptr) return false;
  std::vector<Result> mixes;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Result &a = results_[i], &b = results_[j];
      if (a.ended_early || b.ended_early) continue;
      Places places = start_;
      bool disjoint = true;
      for (std::size_t s = 0; s < places.size(); ++s) {
        const bool by_a = a.places[s] != start_[s], by_b = b.places[s] != start_[s];
        if (by_a && by_b) disjoint = false;
        if (by_a) places[s] = a.places[s];
        if (by_b) places[s] = b.places[s];
      }
      const double expected = a.ms + b.ms - *base;
      if (!disjoint || find_places(results_, places) != results_.end()) continue;
      if (find_places(mixes, places) != mixes.end()) continue;
      if (expected < fastest->ms) mixes.push_back({places, expected, false});
    }
  }
  std::stable_sort(mixes.begin(), mixes.end(),
                   [](const Result& a, const Result& b) { return a.ms < b.ms; });
  for (const Result& mix : mixes) {
    if (mixes_ == kMostMixes) break;
    ++mixes_;
    queue(mix.places);
  }
  return !queue_.empty();
}

bool PlacementTrials::queue_finals() {
  const Result* const fastest = best();
  if (fastest == nullptr) return false;
  std::vector<Result> close;
  for (const Result& result : results_) {
    if (!result.ended_early && result.ms <= kClose * fastest->ms) close.push_back(result);
  }
  std::stable_sort(close.begin(), close.end(),
                   [](const Result& a, const Result& b) { return a.ms < b.ms; });
  close.resize(std::min(close.size(), kMostFinalists));
  if (find_places(close, start_) == close.end()) close.push_back({start_, 0, false});
  if (close.size() < 2) return false;
  for (const Result& result : close) queue_.push_back(result.places);
  return true;
}

void PlacementTrials::choose() {
  in_finals_ = false;
  for (const Result& final_result : finals_) {
    const auto known = find_places(results_, final_result.places);
    if (known != results_.end()) *known = final_result;
  }
  // The finals', if there were any.
  const std::vector<Result>& field = finals_.empty() ? results_ : finals_;
  const auto fastest =
      std::min_element(field.begin(), field.end(), [](const Result& a, const Result& b) {
        return a.ended_early != b.ended_early ? b.ended_early : a.ms < b.ms;
      });
  trying_ = false;
  chosen_ = true;
  current_ = start_;
  if (fastest == field.end()) return;
  const auto base = time_of(start_);
  const bool worthwhile = !base || *base > kWorthwhile * fastest->ms;
  if (worthwhile) current_ = fastest->places;
}

const PlacementTrials::Result* PlacementTrials::best() const {
  const auto fastest =
      std::min_element(results_.begin(), results_.end(),
                       [](const Result& a, const Result& b) { return a.ms < b.ms; });
  return fastest == results_.end() ? nullptr : &*fastest;
}

std::optional<double> PlacementTrials::time_of(const Places& places) const {
  const auto known = find_places(results_, places);
  if (known == results_.end()) return std::nullopt;
  return known->ms;
}

std::optional<PlacementTrials::Result> PlacementTrials::best_elsewhere(std::size_t stage) const {
  std::optional<Result> fastest;
  for (const Result& result : results_) {
    if (result.places[stage] == current_[stage]) continue;
    if (!fastest || result.ms < fastest->ms) fastest = result;
  }
  return fastest;
}

namespace {

using Places = PlacementTrials::Places;

std::vector<bool> movable_stages(const std::vector<PlacedStage>& placement) {
  std::vector<bool> movable;
  for (const PlacedStage& placed : placement) movable.push_back(placed.automatic);
  return movable;
}

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f ms", ms);
  return text;
}

}  // namespace

AutoPlacement::AutoPlacement(std::shared_ptr<TrackerDevices> devices)
    : devices_(std::move(devices)),
      placement_(devices_->stages()),
      movable_(std::ranges::any_of(placement_, &PlacedStage::automatic)),
      numbered_{find_device("host")},
      trials_(movable_stages(placement_), devices_->kind().groups) {
  // An earlier tracker's choice was made for other frames.
  apply(trials_.next());
}

void AutoPlacement::process(int width, int height, const std::function<void()>& place,
                            const std::function<int()>& work) {
  const ThreadPool::FrameInProgress frame;
  const auto begin = std::chrono::steady_clock::now();
  bool moved = update(width, height);
  bool is_typical = !moved;
  for (bool complete = false; !complete;) {
    try {
      if (moved) place();
      moved = false;
      const int load = work();
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - begin;
      if (is_typical) measured(time.count(), load);
      complete = true;
    } catch (const Error& error) {
      if (!retreat(error)) throw;
      moved = true;
      is_typical = false;
    }
  }
}

bool AutoPlacement::update(int width, int height) {
  if (!movable_) return false;
  if (width != width_ || height != height_) {
    width_ = width;
    height_ = height;
    concluded_ = false;
    trials_.restart();
  }
  if (frames_ < kFramesBefore) return false;
  CandidateDevices& candidates = devices_->candidates();
  candidates.start();
  if (candidates.ready_count() != seen_ready_) {
    const std::vector<DeviceInfo> ready = candidates.ready();
    seen_ready_ = candidates.ready_count();
    for (const DeviceInfo& device : ready) {
      const auto known =
          std::find_if(numbered_.begin(), numbered_.end(),
                       [&](const DeviceInfo& numbered) { return numbered.spec == device.spec; });
      if (known != numbered_.end()) continue;
      numbered_.push_back(device);
      trials_.offer(static_cast<int>(numbered_.size()) - 1);
      concluded_ = false;
    }
  }
  const bool moved = apply(trials_.next());
  if (!concluded_ && !trials_.is_busy() && candidates.is_complete()) conclude();
  return moved;
}

void AutoPlacement::measured(double ms, int load) {
  if (!movable_ || load == 0) return;
  ++frames_;
  trials_.add(ms, load);
}

bool AutoPlacement::apply(const Places& places) {
  bool moved = false;
  for (std::size_t stage = 0; stage < placement_.size(); ++stage) {
    PlacedStage& placed = placement_[stage];
    if (!placed.automatic) continue;
    const DeviceInfo& device = numbered_[static_cast<std::size_t>(places[stage])];
    if (placed.device.spec == device.spec) continue;
    placed.device = device;
    placed.reason.clear();
    moved = true;
  }
  if (moved) devices_->publish(placement_);
  return moved;
}

const std::string& AutoPlacement::name(const Places& places, std::size_t stage) const {
  return numbered_[static_cast<std::size_t>(places[stage])].spec;
}

// "ferns=0.0 nn=host"
std::string AutoPlacement::describe(const Places& places) const {
  std::string text;
  for (std::size_t stage = 0; stage < placement_.size(); ++stage) {
    if (!placement_[stage].automatic) continue;
    if (!text.empty()) text += ' ';
    text.append(placement_[stage].stage.name).append("=").append(name(places, stage));
  }
  return text;
}

// Why the stage was placed there.
std::string AutoPlacement::reason_of(std::size_t stage) const {
  const auto chosen = trials_.time_of(trials_.next());
  if (!chosen) {
    return std::string(numbered_.size() == 1 ? "no other device can be used"
                                             : "frame times did not become stable");
  }
  const auto other = trials_.best_elsewhere(stage);
  if (!other) return {};
  return milliseconds(*chosen) + " a frame against " + milliseconds(other->ms) + " on " +
         name(other->places, stage);
}

// Reports the choice and its reasons once, in the log and in TrackerDevices.
void AutoPlacement::conclude() {
  concluded_ = true;
  for (std::size_t stage = 0; stage < placement_.size(); ++stage) {
    if (placement_[stage].automatic) placement_[stage].reason = reason_of(stage);
  }
  devices_->publish(placement_);
  std::string text = "auto: " + describe(trials_.next()) + " at " + std::to_string(width_) + "x" +
                     std::to_string(height_);
  const auto chosen = trials_.time_of(trials_.next());
  if (chosen) {
    text += ", " + milliseconds(*chosen) + " a frame; tried: ";
    for (const PlacementTrials::Result& result : trials_.results()) {
      text += describe(result.places) + " " + milliseconds(result.ms) +
              (result.ended_early ? " (ended early); " : "; ");
    }
    text.resize(text.size() - 2);
  } else {
    text += ": " + reason_of(0);
  }
  log(LogLevel::info, text);
}

bool AutoPlacement::retreat(const Error& error) {
  if (error.code() != ErrorCode::device_failed && error.code() != ErrorCode::build_failed &&
      error.code() != ErrorCode::out_of_memory) {
    return false;
  }
  // Which of several devices failed is not known, so all of them are excluded.
  std::string failed, stages;
  for (std::size_t number = 1; number < numbered_.size(); ++number) {
    const DeviceInfo& device = numbered_[number];
    bool used = false;
    for (const PlacedStage& placed : placement_) {
      if (!placed.automatic || placed.device.spec != device.spec) continue;
      stages.append(stages.empty() ? "" : ", ").append(placed.stage.name);
      used = true;
    }
    if (!used) continue;
    failed += (failed.empty() ? "" : ", ") + device.spec + " (" + device.name + ")";
    devices_->candidates().leave_out(device);
    trials_.withdraw(static_cast<int>(number));
  }
  if (failed.empty()) return false;
  apply(trials_.next());
  concluded_ = false;
  const std::string warning = "auto: " + stages + " leave device " + failed +
                              ", which is not used any more, because it failed: " + error.what();
  log(LogLevel::warning, warning);
  warnings_.push_back(warning);
  return true;
}

}  // namespace cltrack
