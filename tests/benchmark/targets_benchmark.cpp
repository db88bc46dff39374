// SPDX-License-Identifier: LGPL-2.1-or-later
// The time of a frame of 640x480 with many targets, all stages on one device:
//
//   targets/N/DEVICE/CLIP
//
// Boxes of the clip's target size, all over the picture: one is the target, the others show
// whatever is there. The first frames, where they are learnt, do not count.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "loop.h"
#include "metrics.h"
#include "placements.h"
#include "stage_costs.h"

namespace cltrack::accuracy {

std::vector<BoundingBox> spread_boxes(const BoundingBox& target, int count, FrameSize size) {
  std::vector<BoundingBox> all{target};
  constexpr int kColumns = 8;
  const int rows = (count + kColumns - 1) / kColumns;
  for (int i = 1; i < count; ++i) {
    const float across = static_cast<float>(i % kColumns) / (kColumns - 1);
    const float down =
        rows > 1 ? static_cast<float>(i / kColumns) / static_cast<float>(rows - 1) : 0.5f;
    all.push_back({std::floor(across * (static_cast<float>(size.width) - target.width)),
                   std::floor(down * (static_cast<float>(size.height) - target.height)),
                   target.width, target.height});
  }
  return all;
}

namespace {

constexpr FrameSize kSize{640, 480};
constexpr std::size_t kFrames = 200;
constexpr std::size_t kFirst = 60;
constexpr int kTargets[] = {1, 2, 8, 32};

void frame_of_targets(benchmark::State& state, const Clip& clip, const DeviceInfo& device,
                      int count) {
  using Clock = std::chrono::steady_clock;
  try {
    TldConfig config;
    config.placement.device = device.spec;
    const Loop& loop = Loop::of(clip, kSize);
    for ([[maybe_unused]] auto _ : state) {
      const auto tracker = make_tld_tracker(config);
      for (const BoundingBox& box : spread_boxes(loop.box(), count, kSize)) tracker->add(box);
      std::vector<double> ms;
      double with_box = 0;
      for (std::size_t i = 0; i < kFrames; ++i) {
        const Frame frame = loop.frame(i).frame();
        const auto start = Clock::now();
        const auto tracks = tracker->process(frame);
        const std::chrono::duration<double, std::milli> time = Clock::now() - start;
        if (i < kFirst) continue;
        ms.push_back(time.count());
        for (const Track& track : tracks) with_box += track.has_box();
      }
      state.counters["median_ms"] = percentile(ms, 0.5);
      state.counters["p99_ms"] = percentile(ms, 0.99);
      state.counters["with_box"] = with_box / static_cast<double>(ms.size());
      for (const auto& [name, value] : stage_costs(tracker->stats())) {
        state.counters[name] = value / kFrames;
      }
      state.SetIterationTime(percentile(ms, 0.5) / 1000);
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_targets_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const DeviceInfo& device : benchmark_devices()) {
      for (const int count : kTargets) {
        const std::string name = "targets/" + std::to_string(count) + "/" + short_name(device) +
                                 "/" + clip.sequence.name;
        benchmark::RegisterBenchmark(name.c_str(), frame_of_targets, std::cref(clip), device, count)
            ->UseManualTime()
            ->Iterations(1)
            ->Unit(benchmark::kMillisecond);
      }
    }
  }
}

}  // namespace cltrack::accuracy
