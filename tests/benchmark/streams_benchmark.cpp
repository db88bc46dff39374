// SPDX-License-Identifier: LGPL-2.1-or-later
// Many streams of 640x480 at a time, each a tracker on a thread of its own, all stages on one
// device:
//
//   streams/N/DEVICE/TARGETS/CLIP
//
// fps: frames a second of all streams together; p99_ms: of a stream's frame; launches: that the
// driver was given for a frame, by devices with memory of their own. The first frames of each,
// where the targets are learnt, do not count.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "compute/device.h"
#include "compute/submitter.h"
#include "loop.h"
#include "metrics.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

using Clock = std::chrono::steady_clock;

constexpr FrameSize kSize{640, 480};
constexpr std::size_t kFirst = 60;
constexpr std::size_t kCounted = 150;
constexpr int kStreams[] = {1, 4, 16, 64};
constexpr int kTargets[] = {1, 8};

double milliseconds(Clock::duration time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

void run_streams(benchmark::State& state, const Clip& clip, const DeviceInfo& device, int streams,
                 int targets) {
  try {
    TldConfig config;
    config.placement.device = device.spec;
    const Loop& loop = Loop::of(clip, kSize);
    const std::vector<BoundingBox> boxes = spread_boxes(loop.box(), targets, kSize);
    const auto count = static_cast<std::size_t>(streams);
    for ([[maybe_unused]] auto _ : state) {
      std::vector<std::unique_ptr<Tracker>> trackers(count);
      for (auto& tracker : trackers) {
        tracker = make_tld_tracker(config);
        for (const BoundingBox& box : boxes) tracker->add(box);
      }
      std::vector<std::vector<double>> ms(count);
      std::vector<std::string> errors(count);
      const auto opened = Device::open(device);
      Submitter* const submitter = opened->submitter();
      const auto launches = [&] { return submitter != nullptr ? submitter->launches() : 0; };
      Clock::time_point begin;
      std::uint64_t launches_before = 0;
      std::barrier ready(streams, [&]() noexcept {
        begin = Clock::now();
        launches_before = launches();
      });
      const auto follow = [&](std::size_t stream) {
        const auto process = [&](std::size_t i) {
          if (!errors[stream].empty()) return;
          try {
            trackers[stream]->process(loop.frame(i).frame());
          } catch (const Error& error) {
            errors[stream] = error.what();
          }
        };
        for (std::size_t i = 0; i < kFirst; ++i) process(i);
        ready.arrive_and_wait();
        for (std::size_t i = 0; i < kCounted; ++i) {
          const auto start = Clock::now();
          process(kFirst + i);
          ms[stream].push_back(milliseconds(Clock::now() - start));
        }
      };
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i) threads.emplace_back(follow, i);
      threads.clear();
      const double seconds = milliseconds(Clock::now() - begin) / 1000;
      std::vector<double> all;
      for (const auto& own : ms) all.insert(all.end(), own.begin(), own.end());
      const auto failed = std::ranges::find_if_not(errors, &std::string::empty);
      if (failed != errors.end()) return state.SkipWithError(failed->c_str());
      state.counters["fps"] = static_cast<double>(all.size()) / seconds;
      state.counters["launches"] =
          static_cast<double>(launches() - launches_before) / static_cast<double>(all.size());
      state.counters["median_ms"] = percentile(all, 0.5);
      state.counters["p99_ms"] = percentile(all, 0.99);
      state.SetIterationTime(seconds);
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_streams_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const DeviceInfo& device : benchmark_devices()) {
      for (const int streams : kStreams) {
        for (const int targets : kTargets) {
          const std::string name = "streams/" + std::to_string(streams) + "/" + short_name(device) +
                                   "/" + std::to_string(targets) + "/" + clip.sequence.name;
          benchmark::RegisterBenchmark(name.c_str(), run_streams, std::cref(clip), device, streams,
                                       targets)
              ->UseManualTime()
              ->Iterations(1)
              ->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
}

}  // namespace cltrack::accuracy
