// SPDX-License-Identifier: LGPL-2.1-or-later
// Does `auto` find the fastest placement? Every placement that the devices of this machine allow is
// tried at three frame sizes, then the fastest ones and `auto` by turns.
//
//   auto/WIDTHxHEIGHT/CLIP    its time is that of `auto`, once it has chosen
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "loop.h"
#include "metrics.h"
#include "placements.h"
#include "stage_costs.h"

namespace cltrack::accuracy {
namespace {

constexpr FrameSize kSizes[] = {{320, 240}, {640, 480}, {1920, 1080}};
constexpr std::size_t kTryFrames = 60;     // of each placement
constexpr std::size_t kTryFirst = 20;      // of them, that do not count
constexpr std::size_t kFinalFrames = 732;  // of the fastest ones and of `auto`
constexpr std::size_t kFinalFirst = 600;   // by then `auto` should have chosen
constexpr std::size_t kFinalists = 3;
constexpr int kRounds = 3;

struct Trial {
  NamedPlacement where;
  double ms = std::numeric_limits<double>::infinity();
};

double median_from(std::size_t first, const LoopRun& run) {
  return percentile({run.ms.begin() + static_cast<std::ptrdiff_t>(first), run.ms.end()}, 0.5);
}

// Median time of a frame.
double time_of(const Loop& loop, const Placement& placement, std::size_t frames,
               std::size_t first) {
  TldConfig config;
  config.placement = placement;
  const auto tracker = make_tld_tracker(config);
  return median_from(first, track_loop(*tracker, loop, frames));
}

// The same of `auto`, where it has put the stages, and by which frame.
struct Choice {
  double ms = std::numeric_limits<double>::infinity();
  std::string where;
  std::size_t frame = kFinalFrames;  // none
};

Choice time_of_auto(const Loop& loop) {
  const TldConfig config;
  const auto devices = open_devices(config);
  const auto tracker = make_tld_tracker(config, devices);
  Choice choice;
  const LoopRun run = track_loop(*tracker, loop, kFinalFrames, [&](std::size_t frame) {
    if (choice.frame < kFinalFrames) return;
    const auto stages = devices->stages();
    const bool chosen = !std::ranges::all_of(stages, &std::string::empty, &PlacedStage::reason);
    if (chosen) choice.frame = frame;
  });
  choice.ms = median_from(kFinalFirst, run);
  choice.where = stage_devices(run.stats);
  return choice;
}

void choose(benchmark::State& state, const Clip& clip, FrameSize size) {
  try {
    const Loop& loop = Loop::of(clip, size);
    std::vector<std::shared_ptr<TrackerDevices>> open;  // keeps programs from one run to the next
    for (const DeviceInfo& device : benchmark_devices()) {
      TldConfig config;
      config.placement.device = device.spec;
      open.push_back(open_devices(config));
    }
    std::vector<Trial> trials;
    for (const NamedPlacement& where : all_placements()) {
      trials.push_back({where, time_of(loop, where.placement, kTryFrames, kTryFirst)});
      std::fprintf(stderr, "%dx%d %s: %.3f ms\n", size.width, size.height, where.name.c_str(),
                   trials.back().ms);
    }
    std::ranges::sort(trials, {}, &Trial::ms);
    const std::size_t tried = trials.size();
    trials.resize(std::min(trials.size(), kFinalists));
    for (Trial& trial : trials) trial.ms = std::numeric_limits<double>::infinity();
    Choice chosen;
    for ([[maybe_unused]] auto _ : state) {
      // By turns, and the fastest of each: a machine that changes its speed changes them all.
      for (int round = 0; round < kRounds; ++round) {
        const Choice choice = time_of_auto(loop);
        if (choice.ms < chosen.ms) chosen = choice;
        for (Trial& trial : trials) {
          trial.ms =
              std::min(trial.ms, time_of(loop, trial.where.placement, kFinalFrames, kFinalFirst));
        }
      }
      state.SetIterationTime(chosen.ms / 1000);
    }
    const Trial& best = *std::ranges::min_element(trials, {}, &Trial::ms);
    state.counters["auto_ms"] = chosen.ms;
    state.counters["best_ms"] = best.ms;
    state.counters["auto_over_best"] = chosen.ms / best.ms;
    state.counters["placements"] = static_cast<double>(tried);
    state.counters["chosen_by_frame"] = static_cast<double>(chosen.frame);
    state.SetLabel("best: " + best.where.name + "; auto: " + chosen.where +
                   (chosen.frame < kFinalFirst ? "" : ", CHOSEN TOO LATE TO COUNT"));
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_auto_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const FrameSize size : kSizes) {
      const std::string name = "auto/" + std::to_string(size.width) + "x" +
                               std::to_string(size.height) + "/" + clip.sequence.name;
      benchmark::RegisterBenchmark(name.c_str(), choose, std::cref(clip), size)
          ->UseManualTime()
          ->Iterations(1)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace cltrack::accuracy
