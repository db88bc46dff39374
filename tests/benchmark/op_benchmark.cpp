// SPDX-License-Identifier: LGPL-2.1-or-later
// Every op that has a kernel, on every device present, the host included; and the paper's modules
// made of them.
//
//   op/NAME/DEVICE/kernels    data is there; many launches in a row, one wait: the time of the
//                             kernels, as far as they take longer than a launch
//   op/NAME/DEVICE/wait       data is there; each launch is waited for
//   op/NAME/DEVICE/transfers  inputs go up and results come down besides
//   module/NAME/DEVICE        a frame of it, with all that travels and one wait
#include <benchmark/benchmark.h>

#include <chrono>
#include <memory>
#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "device_stand.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

constexpr int kBatch = 20;  // launches that share a wait

enum class Mode { kernels, wait, transfers };
constexpr const char* kModeNames[] = {"kernels", "wait", "transfers"};

// The stand that was asked for last: making one takes longer than most benchmarks run, and each of
// them is called several times to find out how often it has to repeat.
DeviceStand& stand_of(const Clip& clip, const DeviceInfo& device) {
  static std::string key;
  static std::unique_ptr<DeviceStand> stand;
  const std::string wanted = clip.sequence.folder.string() + "|" + clip.sequence.name + "|" +
                             std::to_string(clip.footage.frames().front()->width()) + "|" +
                             device.spec;
  if (key != wanted) {
    key.clear();
    stand = std::make_unique<DeviceStand>(clip, device);
    key = wanted;
  }
  return *stand;
}

// Repeats `body`, which does `share` of what is reported as one iteration.
template <typename Body>
void measure(benchmark::State& state, Queue& queue, double share, Body&& body) {
  using Clock = std::chrono::steady_clock;
  body();
  queue.finish();
  const TransferCount before = queue.count();
  for ([[maybe_unused]] auto _ : state) {
    const auto start = Clock::now();
    body();
    const std::chrono::duration<double> time = Clock::now() - start;
    state.SetIterationTime(time.count() * share);
  }
  const TransferCount& after = queue.count();
  const auto per_iteration = [&](std::uint64_t later, std::uint64_t earlier) {
    return static_cast<double>(later - earlier) * share / static_cast<double>(state.iterations());
  };
  state.counters["up"] = per_iteration(after.bytes_up, before.bytes_up);
  state.counters["down"] = per_iteration(after.bytes_down, before.bytes_down);
  state.counters["waits"] = per_iteration(after.waits, before.waits);
  state.counters["launches"] = per_iteration(after.launches, before.launches);
}

void time_op(benchmark::State& state, const Clip& clip, const DeviceInfo& device, const OpCase& op,
             Mode mode) {
  try {
    DeviceStand& stand = stand_of(clip, device);
    Queue& queue = *stand.queue;
    switch (mode) {
      case Mode::kernels:
        measure(state, queue, 1.0 / kBatch, [&] {
          for (int i = 0; i < kBatch; ++i) op.run(stand);
          queue.finish();
        });
        break;
      case Mode::wait:
        measure(state, queue, 1, [&] {
          op.run(stand);
          queue.finish();
        });
        break;
      case Mode::transfers:
        measure(state, queue, 1, [&] {
          op.upload(stand);
          op.run(stand);
          op.fetch(stand);
          queue.finish();
        });
        break;
    }
    state.SetLabel(std::string("paper: ") + op.paper);
    state.counters["frames"] = static_cast<double>(clip.footage.size());
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_module(benchmark::State& state, const Clip& clip, const DeviceInfo& device,
                 const ModuleCase& module) {
  try {
    DeviceStand& stand = stand_of(clip, device);
    measure(state, *stand.queue, 1, [&] { module.run(stand); });
    state.SetLabel(std::string("paper: ") + module.paper);
    state.counters["frames"] = static_cast<double>(clip.footage.size());
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_op_benchmarks(std::span<const Clip> clips) {
  constexpr double kSeconds = 0.2;
  for (const Clip& clip : clips) {
    for (const DeviceInfo& device : benchmark_devices()) {
      std::string tail = "/";
      tail += short_name(device);
      for (const OpCase& op : op_cases()) {
        for (const Mode mode : {Mode::kernels, Mode::wait, Mode::transfers}) {
          if (device.type == DeviceType::host && mode != Mode::kernels) continue;
          const std::string name = "op/" + std::string(op.name) + tail + "/" +
                                   kModeNames[static_cast<int>(mode)] + "/" + clip.sequence.name;
          benchmark::RegisterBenchmark(name.c_str(), time_op, std::cref(clip), device,
                                       std::cref(op), mode)
              ->UseManualTime()
              ->MinTime(kSeconds)
              ->Unit(benchmark::kMicrosecond);
        }
      }
      for (const ModuleCase& module : module_cases()) {
        const std::string name =
            "module/" + std::string(module.name) + tail + "/" + clip.sequence.name;
        benchmark::RegisterBenchmark(name.c_str(), time_module, std::cref(clip), device,
                                     std::cref(module))
            ->UseManualTime()
            ->MinTime(kSeconds)
            ->Unit(benchmark::kMicrosecond);
      }
    }
  }
}

}  // namespace cltrack::accuracy
