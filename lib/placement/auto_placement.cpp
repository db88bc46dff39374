// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/auto_placement.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "core/log.h"
#include "placement/candidate_devices.h"
#include "placement/tracker_kind.h"

namespace cltrack {
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
  const auto begin = std::chrono::steady_clock::now();
  bool moved = update(width, height);
  bool usual = !moved;
  for (bool complete = false; !complete;) {
    try {
      if (moved) place();
      moved = false;
      const int load = work();
      const std::chrono::duration<double, std::milli> time =
          std::chrono::steady_clock::now() - begin;
      if (usual) measured(time.count(), load);
      complete = true;
    } catch (const Error& error) {
      if (!retreat(error)) throw;
      moved = true;
      usual = false;
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
