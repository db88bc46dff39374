// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/stage_meters.h"

#include <string>

namespace cltrack {

StageMeters::StageMeters(const PlacedDevices& devices)
    : devices_(devices), meters_{Meter{StageClock("planes")}, Meter{StageClock("flow")},
                                 Meter{StageClock("ferns")},  Meter{StageClock("nn")},
                                 Meter{StageClock("learn")},  Meter{StageClock("start")}} {}

StageMeters::Measure::Measure(StageMeters& meters, Step step)
    : meters_(meters),
      step_(step),
      before_(meters.devices_.transfers()),
      start_(std::chrono::steady_clock::now()) {}

StageMeters::Measure::~Measure() {
  const TransferCount cost = meters_.devices_.transfers() - before_;
  Meter& meter = meters_.of(step_);
  meter.transfers += cost;
  meter.time +=
      std::chrono::steady_clock::now() - start_ + std::chrono::nanoseconds(cost.thread_ns);
}

void StageMeters::end_frame() {
  for (Meter& meter : meters_) {
    if (meter.time.count() > 0) meter.clock.add(meter.time);
    meter.time = {};
  }
}

void StageMeters::forget_latest() {
  for (Meter& meter : meters_) meter.clock.forget_latest();
}

void StageMeters::reset() {
  for (Meter& meter : meters_) {
    meter.clock.reset();
    meter.time = {};
    meter.transfers = {};
  }
}

std::string StageMeters::device_of(Step step) const {
  const auto spec = [&](Stage stage) { return devices_.device(stage).info().spec; };
  switch (step) {
    case Step::planes: {
      const std::string flow = spec(Stage::flow), ferns = spec(Stage::ferns);
      return flow == ferns ? flow : flow + ", " + ferns;
    }
    case Step::flow:
      return spec(Stage::flow);
    case Step::ferns:
      return spec(Stage::ferns);
    case Step::nn:
      return spec(Stage::nn);
    default:
      return spec(Stage::learn);
  }
}

std::vector<StageStats> StageMeters::stats() const {
  std::vector<StageStats> all;
  for (std::size_t i = 0; i < kStepCount; ++i) {
    StageStats stats = meters_[i].clock.stats();
    stats.device = device_of(static_cast<Step>(i));
    stats.bytes_up = meters_[i].transfers.bytes_up;
    stats.bytes_down = meters_[i].transfers.bytes_down;
    stats.waits = meters_[i].transfers.waits;
    all.push_back(std::move(stats));
  }
  return all;
}

}  // namespace cltrack
