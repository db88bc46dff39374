// SPDX-License-Identifier: LGPL-2.1-or-later
// Whole trackers over real frames. Baselines that need a second for ten frames get fewer of them.
#include <benchmark/benchmark.h>

#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "run.h"
#include "trackers.h"

namespace cltrack::accuracy {
namespace {

constexpr std::size_t kBaselineFrames = 40;

void track(benchmark::State& state, const Clip& clip, const std::string& name,
           std::size_t max_frames) {
  const int threads = static_cast<int>(state.range(0));
  TldConfig config;
  config.threads = threads;
  const int opencv_threads = set_opencv_threads(threads);
  std::size_t frames = 0;
  double seconds = 0;
  std::vector<double> updates;
  try {
    const Footage& footage = clip.footage;
    for ([[maybe_unused]] auto _ : state) {
      const auto tracker = make_tracker(name, {.tld = config, .match = {}});
      const Observations result =
          run_tracker(*tracker, footage, {kGivenStart, clip.box()}, 0, {}, max_frames);
      double sum = 0;
      for (const double ms : result.ms) sum += ms / 1000;
      updates.assign(result.ms.begin() + 1, result.ms.end());
      state.SetIterationTime(sum);
      seconds += sum;
      frames += result.ms.size();
    }
    state.counters["fps"] = static_cast<double>(frames) / seconds;
    state.counters["fps_median"] = 1000 / percentile(updates, 0.5);
    state.counters["ms_p99"] = percentile(updates, 0.99);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
  set_opencv_threads(opencv_threads);
}

}  // namespace

void register_tracker_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const char* name : {"tld", "cv-tld", "cv-medianflow"}) {
      const bool slow = std::string(name) == "cv-tld";
      benchmark::RegisterBenchmark(
          ("tracker/" + std::string(name) + "/" + clip.sequence.name).c_str(), track,
          std::cref(clip), std::string(name), slow ? kBaselineFrames : 0)
          ->ArgName("threads")
          ->Arg(1)
          ->Arg(2)
          ->UseManualTime()
          ->MeasureProcessCPUTime()
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace cltrack::accuracy
