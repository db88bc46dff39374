// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/auto_placement.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "core/log.h"
#include "tld/candidate_devices.h"

namespace cltrack {
namespace {

using Places = PlacementTrials::Places;

constexpr Places kAllOnHost = {};

PlacementTrials::Stages movable_stages(const std::vector<PlacedStage>& placement) {
  PlacementTrials::Stages movable = {};
  for (const PlacedStage& placed : placement) {
    movable[static_cast<std::size_t>(placed.stage)] = placed.automatic;
  }
  return movable;
}

std::string milliseconds(double ms) {
  char text[32];
  std::snprintf(text, sizeof text, "%.2f ms", ms);
  return text;
}

}  // namespace

AutoPlacement::AutoPlacement(TldDevices& devices)
    : devices_(devices),
      placement_(devices.stages()),
      movable_(std::ranges::any_of(placement_, &PlacedStage::automatic)),
      numbered_{find_device("host")},
      trials_(kAllOnHost, movable_stages(placement_)) {
  // Where a tracker before this one has come to is for its frames, not for these.
  apply(kAllOnHost);
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
  CandidateDevices& candidates = devices_.candidates();
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

void AutoPlacement::measured(double ms, int targets) {
  if (!movable_ || targets == 0) return;
  ++frames_;
  trials_.add(ms, targets);
}

bool AutoPlacement::apply(const Places& places) {
  bool moved = false;
  for (PlacedStage& placed : placement_) {
    if (!placed.automatic) continue;
    const int number = places[static_cast<std::size_t>(placed.stage)];
    const DeviceInfo& device = numbered_[static_cast<std::size_t>(number)];
    if (placed.device.spec == device.spec) continue;
    placed.device = device;
    placed.reason.clear();
    moved = true;
  }
  if (moved) devices_.publish(placement_);
  return moved;
}

std::string AutoPlacement::name(const Places& places, Stage stage) const {
  return numbered_[static_cast<std::size_t>(places[static_cast<std::size_t>(stage)])].spec;
}

// "ferns=0.0 nn=host"
std::string AutoPlacement::describe(const Places& places) const {
  std::string text;
  for (const PlacedStage& placed : placement_) {
    if (!placed.automatic) continue;
    if (!text.empty()) text += ' ';
    text.append(to_string(placed.stage)).append("=").append(name(places, placed.stage));
  }
  return text;
}

// Why the stage is where it is.
std::string AutoPlacement::reason_of(Stage stage) const {
  const auto chosen = trials_.time_of(trials_.next());
  if (!chosen) {
    return std::string(numbered_.size() == 1 ? "no other device can be used"
                                             : "what frames take did not settle down");
  }
  const auto other = trials_.best_elsewhere(stage);
  if (!other) return {};
  return milliseconds(*chosen) + " a frame against " + milliseconds(other->ms) + " on " +
         name(other->places, stage);
}

// Says what has been chosen and why, once, in the log and for whoever asks.
void AutoPlacement::conclude() {
  concluded_ = true;
  for (PlacedStage& placed : placement_) {
    if (placed.automatic) placed.reason = reason_of(placed.stage);
  }
  devices_.publish(placement_);
  std::string text = "auto: " + describe(trials_.next()) + " at " + std::to_string(width_) + "x" +
                     std::to_string(height_);
  const auto chosen = trials_.time_of(trials_.next());
  if (chosen) {
    text += ", " + milliseconds(*chosen) + " a frame; tried: ";
    for (const PlacementTrials::Result& result : trials_.results()) {
      text += describe(result.places) + " " + milliseconds(result.ms) +
              (result.ended_early ? " (given up); " : "; ");
    }
    text.resize(text.size() - 2);
  } else {
    text += ": " + reason_of(Stage::flow);
  }
  log(LogLevel::info, text);
}

bool AutoPlacement::retreat(const Error& error) {
  if (error.code() != ErrorCode::device_failed && error.code() != ErrorCode::build_failed &&
      error.code() != ErrorCode::out_of_memory) {
    return false;
  }
  // Which of several devices it was is not known: none of them is trusted any more.
  std::string failed, stages;
  for (std::size_t number = 1; number < numbered_.size(); ++number) {
    const DeviceInfo& device = numbered_[number];
    bool used = false;
    for (const PlacedStage& placed : placement_) {
      if (!placed.automatic || placed.device.spec != device.spec) continue;
      stages += std::string(stages.empty() ? "" : ", ") + to_string(placed.stage);
      used = true;
    }
    if (!used) continue;
    failed += (failed.empty() ? "" : ", ") + device.spec + " (" + device.name + ")";
    devices_.candidates().leave_out(device);
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
