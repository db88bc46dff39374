// SPDX-License-Identifier: LGPL-2.1-or-later
// A frame of the correlation filter on the host: targets are asked for and learnt where they were.
//
//   motion/correlation/TARGETS/THREADS/CLIP
//
// estimate_us, collect_us and learn_us are the parts of the time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "benchmarks.h"
#include "compute/device.h"
#include "motion/correlation_filter.h"

namespace cltrack::accuracy {
namespace {

constexpr int kTargets[] = {1, 2, 16};
constexpr int kThreads[] = {1, 2};

// The target's own box, and others of its size beside it.
std::vector<MotionTarget> targets_of(const Clip& clip, int count) {
  std::vector<MotionTarget> targets;
  BoundingBox box = clip.box();
  const int width = clip.footage.frames().front()->width();
  const float range = std::max(static_cast<float>(width) - box.width, 1.0f);
  for (int i = 0; i < count; ++i) {
    targets.push_back({targets.size() + 1, box});
    box.x = std::fmod(box.x + 0.6f * box.width, range);
  }
  return targets;
}

void time_correlation(benchmark::State& state, const Clip& clip, int count, int threads) {
  using Clock = std::chrono::steady_clock;
  const auto queue = Device::host()->make_queue(threads);
  CorrelationFilter filter({}, queue);
  const std::vector<MotionTarget> targets = targets_of(clip, count);
  const auto& frames = clip.footage.frames();
  std::size_t index = 0;
  Plane luma;
  double estimate = 0, collect = 0, learn = 0;
  const auto step = [](double& sum, const auto& work) {
    const auto start = Clock::now();
    work();
    sum += std::chrono::duration<double, std::micro>(Clock::now() - start).count();
  };
  for ([[maybe_unused]] auto _ : state) {
    const Frame frame = frames[index % frames.size()]->frame();
    luma.borrow(frame.luma);
    filter.begin(frame, luma, targets);
    if (index++ == 0) {
      for (const MotionTarget& target : targets) filter.start(target);
    }
    step(estimate, [&] { filter.estimate(targets); });
    step(collect, [&] { benchmark::DoNotOptimize(filter.collect(*queue)); });
    step(learn, [&] { filter.learn(targets); });
    filter.end();
    luma.release();
  }
  const auto mean = [&](double sum) {
    return benchmark::Counter(sum, benchmark::Counter::kAvgIterations);
  };
  state.counters["estimate_us"] = mean(estimate);
  state.counters["collect_us"] = mean(collect);
  state.counters["learn_us"] = mean(learn);
}

}  // namespace

void register_motion_benchmarks(std::span<const Clip> clips) {
  for (const Clip& clip : clips) {
    for (const int targets : kTargets) {
      for (const int threads : kThreads) {
        const std::string name = "motion/correlation/" + std::to_string(targets) + "/" +
                                 std::to_string(threads) + "/" + clip.sequence.name;
        benchmark::RegisterBenchmark(name.c_str(), time_correlation, std::cref(clip), targets,
                                     threads)
            ->UseRealTime()
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

}  // namespace cltrack::accuracy
