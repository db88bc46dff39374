// SPDX-License-Identifier: LGPL-2.1-or-later
#include "placement/stage_meters.h"

#include <string>
#include <utility>

namespace cltrack {

StageMeters::StageMeters(const PlacedDevices& devices, const std::vector<StepInfo>& steps)
    : devices_(devices) {
  for (const StepInfo& step : steps) {
    meters_.push_back({.clock = StageClock(step.name), .stages = step.stages});
  }
}

StageMeters::Measure::Measure(StageMeters& meters, std::size_t step)
    : meters_(meters),
      step_(step),
      before_(meters.devices_.transfers()),
      start_(std::chrono::steady_clock::now()) {}

StageMeters::Measure::~Measure() {
  const TransferCount cost = meters_.devices_.transfers() - before_;
  Meter& meter = meters_.meters_[step_];
  meter.transfers += cost;
  meter.nanoseconds += std::chrono::nanoseconds(std::chrono::steady_clock::now() - start_).count() +
                       static_cast<std::int64_t>(cost.thread_ns);
}

void StageMeters::end_frame() {
  for (Meter& meter : meters_) {
    const std::int64_t time = std::exchange(meter.nanoseconds, 0);
    if (time > 0) meter.clock.add(std::chrono::nanoseconds(time));
  }
}

void StageMeters::forget_latest() {
  for (Meter& meter : meters_) meter.clock.forget_latest();
}

void StageMeters::reset() {
  for (Meter& meter : meters_) {
    meter.clock.reset();
    meter.nanoseconds = 0;
    meter.transfers = {};
  }
}

// "host", or "host, 0.0" of several.
std::string StageMeters::device_of(const Meter& meter) const {
  std::string text;
  const Device* latest = nullptr;
  for (const std::size_t stage : meter.stages) {
    const Device& device = devices_.device(stage);
    if (&device == latest) continue;
    text.append(text.empty() ? "" : ", ").append(device.info().spec);
    latest = &device;
  }
  return text.empty() ? devices_.host().device().info().spec : text;
}

std::vector<StageStats> StageMeters::stats() const {
  std::vector<StageStats> all;
  for (const Meter& meter : meters_) {
    StageStats stats = meter.clock.stats();
    stats.device = device_of(meter);
    stats.bytes_up = meter.transfers.bytes_up;
    stats.bytes_down = meter.transfers.bytes_down;
    stats.waits = meter.transfers.waits;
    all.push_back(std::move(stats));
  }
  return all;
}

}  // namespace cltrack
