// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole trackers over all frames of a clip, with their stages on the host, on one device, and
// mixed.
#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "placements.h"
#include "run.h"
#include "stage_costs.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kFramesToWarmUp = 20;
constexpr int kRuns = 3;

// The time of the fastest of some runs: other work on the machine only ever adds to it.
void track_placed(benchmark::State& state, const Clip& clip, const NamedPlacement& where) {
  TldConfig config;
  config.placement = where.placement;
  try {
    const auto devices = open_devices(config);  // keeps programs from one run to the next
    const auto tracker = make_tracker("tld", {.tld = config, .match = {}});
    run_tracker(*tracker, clip.footage, {kGivenStart, clip.box()}, 0, {}, kFramesToWarmUp);
    std::vector<double> best;
    double best_total = 0;
    TrackerStats stats;
    for ([[maybe_unused]] auto _ : state) {
      const Observations result = run_tracker(*tracker, clip.footage, {kGivenStart, clip.box()}, 0);
      double total = 0;
      for (const double ms : result.ms) total += ms;
      state.SetIterationTime(total / 1000);
      if (!best.empty() && total >= best_total) continue;
      best_total = total;
      best.assign(result.ms.begin() + 1, result.ms.end());
      stats = result.stats;
    }
    const auto frames = static_cast<double>(best.size() + 1);
    state.counters["frames"] = frames;
    state.counters["total_ms"] = best_total;
    state.counters["fps"] = 1000 * frames / best_total;
    state.counters["median_ms"] = percentile(best, 0.5);
    state.counters["p99_ms"] = percentile(best, 0.99);
    for (const auto& [name, value] : stage_costs(stats)) state.counters[name] = value;
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_placed_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const NamedPlacement& where : usual_placements()) {
      benchmark::RegisterBenchmark(("placed/" + where.name + "/" + clip.sequence.name).c_str(),
                                   track_placed, std::cref(clip), where)
          ->UseManualTime()
          ->Iterations(kRuns)
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace cltrack::accuracy
