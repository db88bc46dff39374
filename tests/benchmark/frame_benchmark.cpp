// SPDX-License-Identifier: LGPL-2.1-or-later
// The time of one frame with one target that moves and is learnt, at two sizes, on each of the
// usual placements: in the library, and through the element's chain, waits included.
//
//   frame/library/WIDTHxHEIGHT/PLACEMENT/CLIP
//   frame/element/WIDTHxHEIGHT/PLACEMENT/CLIP
//   frame/offered/WIDTHxHEIGHT/PLACEMENT/CLIP  its pictures are in the memory that it offers
//
// The clip decides on the content alone: it is scaled. The first frames, where the target is learnt
// and programs may still be loaded, do not count.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "cltrack/tld_tracker.h"
#include "compute/pinned_memory.h"
#include "loop.h"
#include "metrics.h"
#include "pipeline.h"
#include "placements.h"
#include "stage_costs.h"

namespace cltrack::accuracy {
namespace {

constexpr FrameSize kSizes[] = {{640, 480}, {1920, 1080}};
constexpr std::size_t kFrames = 300;
constexpr std::size_t kFirst = 60;  // frames that do not count

void report_times(benchmark::State& state, const std::vector<double>& ms) {
  const std::vector<double> counted(ms.begin() + kFirst, ms.end());
  state.counters["median_ms"] = percentile(counted, 0.5);
  state.counters["p99_ms"] = percentile(counted, 0.99);
  double sum = 0;
  for (const double time : counted) sum += time;
  state.counters["mean_ms"] = sum / static_cast<double>(counted.size());
  state.SetIterationTime(percentile(counted, 0.5) / 1000);
}

void frame_in_library(benchmark::State& state, const Clip& clip, FrameSize size,
                      const NamedPlacement& where) {
  try {
    TldConfig config;
    config.placement = where.placement;
    const auto devices = open_devices(config);
    const Loop& loop = Loop::of(clip, size);
    for ([[maybe_unused]] auto _ : state) {
      const auto tracker = make_tld_tracker(config);
      const LoopRun run = track_loop(*tracker, loop, kFrames);
      report_times(state, run.ms);
      state.counters["tracked"] = static_cast<double>(run.with_box) / kFrames;
      for (const auto& [name, value] : stage_costs(run.stats)) {
        state.counters[name] = value / kFrames;
      }
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

// As gst-launch takes it.
std::string properties_of(const Placement& placement) {
  std::string text = "device=" + placement.device;
  for (const StageInfo& stage : kTldStages) {
    const std::string name(stage.property);
    if (placement[stage.name].empty()) continue;
    if (!element_has("cltracker", name)) {
      throw Error(ErrorCode::failed, "cltracker has no property " + name);
    }
    text += " " + name + "=" + placement[stage.name];
  }
  return text;
}

void frame_through_element(benchmark::State& state, const Clip& clip, FrameSize size,
                           const NamedPlacement& where, PictureMemory memory) {
  if (!element_exists("cltracker")) {
    state.SkipWithError(
        "cltracker: no such element: run through `meson devenv -C BUILD`, or set GST_PLUGIN_PATH");
    return;
  }
  try {
    const Loop& loop = Loop::of(clip, size);
    std::vector<GstBuffer*> buffers;
    for (std::size_t i = 0; i < kFrames; ++i) buffers.push_back(loop.frame(i).buffer());
    GstVideoInfo info = loop.frame(0).info();
    GstCaps* caps = gst_video_info_to_caps(&info);
    for ([[maybe_unused]] auto _ : state) {
      const PipelineRun run = run_pipeline("cltracker", properties_of(where.placement), loop.box(),
                                           caps, buffers, memory);
      if (run.frame_ms.size() != kFrames) {
        throw Error(ErrorCode::failed, std::to_string(run.frame_ms.size()) + " frames came out");
      }
      report_times(state, run.frame_ms);
      for (const auto& [name, value] : run.sums) {
        // What is not per frame as it stands: medians of stages add up, sums are divided.
        if (name == "median-ms" || name == "p99-ms" || name == "calls") continue;
        state.counters[name] = value / kFrames;
      }
      state.SetLabel(run.placement);
    }
    gst_caps_unref(caps);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void frame_in_element(benchmark::State& state, const Clip& clip, FrameSize size,
                      const NamedPlacement& where) {
  frame_through_element(state, clip, size, where, PictureMemory::own);
}

void frame_offered(benchmark::State& state, const Clip& clip, FrameSize size,
                   const NamedPlacement& where) {
  frame_through_element(state, clip, size, where, PictureMemory::offered);
}

// Whether elements offer memory to those before them.
bool offers_memory(const NamedPlacement& where) {
  return std::ranges::any_of(benchmark_devices(), [&](const DeviceInfo& device) {
    return PinnedMemory::is_useful_for(device) &&
           std::ranges::any_of(placeable_stages(), [&](const std::string& stage) {
             return where.placement[stage] == device.spec;
           });
  });
}

}  // namespace

void register_frame_benchmarks(std::span<const Clip> clips) {
  using Body = void (*)(benchmark::State&, const Clip&, FrameSize, const NamedPlacement&);
  constexpr std::pair<const char*, Body> kBodies[] = {
      {"library", frame_in_library}, {"element", frame_in_element}, {"offered", frame_offered}};
  std::vector<NamedPlacement> placements = usual_placements();
  placements.push_back({"auto", {}});
  for (const Clip& clip : clips) {
    for (const FrameSize size : kSizes) {
      for (const NamedPlacement& where : placements) {
        for (const auto& [kind, body] : kBodies) {
          if (body == frame_offered && !offers_memory(where)) continue;
          const std::string name = "frame/" + std::string(kind) + "/" + std::to_string(size.width) +
                                   "x" + std::to_string(size.height) + "/" + where.name + "/" +
                                   clip.sequence.name;
          benchmark::RegisterBenchmark(name.c_str(), body, std::cref(clip), size, where)
              ->UseManualTime()
              ->Iterations(1)
              ->Unit(benchmark::kMillisecond);
        }
      }
    }
  }
}

}  // namespace cltrack::accuracy
