// SPDX-License-Identifier: LGPL-2.1-or-later
// Tracking by colour, on every device present, on a made-up picture: 128 squares of as many colours
// on grey, in NV12.
//
//   color/tracker/DEVICE/SIZE   whole frames, from the host's memory to tracks, by a tracker of one
//                               colour and one of 128 in turns: so that what slows the machine down
//                               slows both
//   color/blobs/DEVICE/SIZE     the same with connectivity
//   color/sums/DEVICE, color/runs/DEVICE   the ops color_sums() and color_runs() at 1080p
//   color/history/DEVICE        the op color_history() of 128 colours and 30 frames
//   color/partition/DEVICE      the kernels of color_sums() at 1080p with any ColorPartition
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <ctime>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks.h"
#include "cltrack/color_tracker.h"
#include "cltrack/error.h"
#include "color/color_model.h"
#include "compute/device.h"
#include "metrics.h"
#include "ops/color/color_history.h"
#include "ops/color/color_sums.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kObjects = 128;
constexpr int kColumns = 16;
constexpr int kTolerance = 16;

struct Size {
  const char* name;
  int width;
  int height;
};
constexpr Size kSizes[] = {{"720p", 1280, 720}, {"1080p", 1920, 1080}};

struct ObjectColor {
  int red, green, blue;
};
// Eight reds, four greens, four blues, well apart. None is grey.
ObjectColor color_of_object(int i) {
  return {16 + 32 * (i % 8), 32 + 64 * (i / 8 % 4), 24 + 64 * (i / 32)};
}

std::uint8_t to_byte(double value) { return static_cast<std::uint8_t>(std::lround(value)); }

class Picture {
 public:
  explicit Picture(const Size& size)
      : luma_(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height), 100),
        chroma_(luma_.size() / 2, 128) {
    picture_.space = ColorSpace::yuv;
    picture_.width = size.width;
    picture_.height = size.height;
    picture_.components[0] = {luma_.data(), size.width, 1, 0, 0};
    picture_.components[1] = {chroma_.data(), size.width, 2, 1, 1};
    picture_.components[2] = {chroma_.data() + 1, size.width, 2, 1, 1};
    const int pitch_x = size.width / kColumns, pitch_y = size.height / (kObjects / kColumns);
    for (int i = 0; i < kObjects; ++i) {
      fill(i % kColumns * pitch_x + pitch_x / 4, i / kColumns * pitch_y + pitch_y / 4, pitch_x / 2,
           pitch_y / 2, color_of_object(i));
    }
  }

  const ColorPicture& picture() const { return picture_; }

 private:
  void fill(int left, int top, int width, int height, const ObjectColor& c) {
    const double y = 0.299 * c.red + 0.587 * c.green + 0.114 * c.blue;
    const std::uint8_t luma = to_byte(16 + y * 219 / 255);
    const std::uint8_t cb = to_byte(128 + (c.blue - y) / 1.772 * 224 / 255);
    const std::uint8_t cr = to_byte(128 + (c.red - y) / 1.402 * 224 / 255);
    const auto stride = static_cast<std::size_t>(picture_.width);
    for (int row = top; row < top + height; ++row) {
      for (int x = left; x < left + width; ++x) {
        const auto column = static_cast<std::size_t>(x);
        luma_[static_cast<std::size_t>(row) * stride + column] = luma;
        const std::size_t pair = static_cast<std::size_t>(row / 2) * stride + (column & ~1u);
        chroma_[pair] = cb;
        chroma_[pair + 1] = cr;
      }
    }
  }

  std::vector<std::uint8_t> luma_, chroma_;
  ColorPicture picture_;
};

std::vector<ColorModel> models(int objects) {
  std::vector<ColorModel> models;
  for (int i = 0; i < objects; ++i) {
    const auto [red, green, blue] = color_of_object(i);
    models.push_back(ColorModel::near(red, green, blue, kTolerance));
  }
  return models;
}

std::unique_ptr<Tracker> make_tracker_of(int objects, int blobs, const DeviceInfo& device) {
  ColorConfig config;
  config.blobs = blobs;
  config.placement.device = device.spec;
  auto tracker = make_color_tracker(config);
  for (const ColorModel& model : models(objects)) tracker->add(model);
  return tracker;
}

struct Cost {
  double wall;  // ms
  double cpu;   // ms of all threads together
};

Cost cost_of(Tracker& tracker, const Frame& frame, int expected) {
  const auto start = Clock::now();
  const std::clock_t cpu_start = std::clock();
  const auto tracks = tracker.process(frame);
  const std::clock_t cpu_end = std::clock();
  const std::chrono::duration<double, std::milli> time = Clock::now() - start;
  std::ptrdiff_t seen = 0;
  for (const Track& track : tracks) seen += track.has_box();
  if (seen != expected) {
    throw Error(ErrorCode::failed,
                "found " + std::to_string(seen) + " objects of " + std::to_string(expected));
  }
  return {time.count(), 1000.0 * static_cast<double>(cpu_end - cpu_start) / CLOCKS_PER_SEC};
}

void time_tracker(benchmark::State& state, const Size& size, const DeviceInfo& device, int blobs) {
  try {
    const Picture picture(size);
    const Frame frame{.luma = {}, .color = picture.picture()};
    const auto one = make_tracker_of(1, blobs, device);
    const auto many = make_tracker_of(kObjects, blobs, device);
    cost_of(*one, frame, 1);
    cost_of(*many, frame, kObjects);
    std::vector<double> wall[2], cpu[2];
    for ([[maybe_unused]] auto _ : state) {
      for (const int i : {0, 1}) {
        const auto [wall_ms, cpu_ms] =
            i == 0 ? cost_of(*one, frame, 1) : cost_of(*many, frame, kObjects);
        wall[i].push_back(wall_ms);
        cpu[i].push_back(cpu_ms);
      }
      state.SetIterationTime(wall[1].back() / 1000);
    }
    // On a machine that does other things as well, the times of the processor say more.
    state.counters["fps_n1"] = 1000 / percentile(wall[0], 0.5);
    state.counters["fps_n128"] = 1000 / percentile(wall[1], 0.5);
    state.counters["cpu_ms_n1"] = percentile(cpu[0], 0.5);
    state.counters["cpu_ms_n128"] = percentile(cpu[1], 0.5);
    state.counters["least_ms_n1"] = percentile(wall[0], 0);
    state.counters["least_ms_n128"] = percentile(wall[1], 0);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

// Of one call of `op`, as far as that takes longer than a launch.
template <typename Op>
void measure(benchmark::State& state, Queue& queue, const Op& op) {
  constexpr int kBatch = 20;  // calls that share a wait
  op();
  queue.finish();
  for ([[maybe_unused]] auto _ : state) {
    const auto start = Clock::now();
    for (int i = 0; i < kBatch; ++i) op();
    queue.finish();
    const std::chrono::duration<double> time = Clock::now() - start;
    state.SetIterationTime(time.count() / kBatch);
  }
}

// What the ops get.
struct OpInputs {
  explicit OpInputs(int objects) : picture(kSizes[1]) {
    planes.borrow(picture.picture());
    table.assign(make_color_table(models(objects), ColorSpace::yuv, {}));
  }

  Picture picture;
  ColorPlanes planes;
  Array<std::uint8_t> table;
  ColorScratch scratch;
};

void time_sums(benchmark::State& state, const DeviceInfo& device) {
  try {
    const auto queue = Device::open(device)->make_queue();
    OpInputs at(kObjects);
    Array<ColorSum> sums;
    measure(state, *queue,
            [&] { color_sums(*queue, at.planes, at.table, kObjects, at.scratch, sums); });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_runs(benchmark::State& state, const DeviceInfo& device) {
  try {
    const auto queue = Device::open(device)->make_queue();
    const auto host = Device::host()->make_queue();
    OpInputs at(kObjects);
    std::vector<ColorRun> runs;
    measure(state, *queue,
            [&] { color_runs(*queue, *host, at.planes, at.table, at.scratch, runs); });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_history(benchmark::State& state, const DeviceInfo& device) {
  try {
    const auto queue = Device::open(device)->make_queue();
    Array<ColorSum> sums;
    sums.assign(std::vector<ColorSum>(kObjects, kNoColorSum));
    ColorHistory history;
    history.reset(kObjects, static_cast<int>(state.range(0)));
    measure(state, *queue, [&] { color_history(*queue, sums, history); });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_partition(benchmark::State& state, const DeviceInfo& info) {
  const int objects = static_cast<int>(state.range(0));
  try {
    const auto device = Device::open(info);
    const auto queue = device->make_queue();
    ColorPartition partition;
    partition.rows = static_cast<int>(state.range(1));
    partition.run = static_cast<int>(state.range(2));
    partition.by_object = state.range(3) == 0;
    OpInputs at(objects);
    Array<ColorSum> sums;
    measure(state, *queue, [&] {
      launch_color_sums(partition, *queue, at.planes, at.table, objects, at.scratch, sums);
    });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_color_benchmarks() {
  for (const DeviceInfo& device : benchmark_devices()) {
    std::string where = "/";
    where += short_name(device);
    for (const Size& size : kSizes) {
      for (const int blobs : {0, 1}) {
        const std::string name =
            std::string(blobs == 0 ? "color/tracker" : "color/blobs") + where + "/" + size.name;
        benchmark::RegisterBenchmark(name.c_str(), time_tracker, std::cref(size), device, blobs)
            ->UseManualTime()
            ->MinTime(1)
            ->Unit(benchmark::kMicrosecond);
      }
    }
    const std::pair<const char*, void (*)(benchmark::State&, const DeviceInfo&)> ops[] = {
        {"color/sums", time_sums}, {"color/runs", time_runs}};
    for (const auto& [name, time] : ops) {
      benchmark::RegisterBenchmark((name + where).c_str(), time, device)
          ->UseManualTime()
          ->MinTime(0.01)  // of a call each, of which there are many
          ->Unit(benchmark::kMicrosecond);
    }
    benchmark::RegisterBenchmark(("color/history" + where).c_str(), time_history, device)
        ->ArgName("frames")
        ->Arg(30)
        ->UseManualTime()
        ->MinTime(0.01)
        ->Unit(benchmark::kMicrosecond);
    if (device.type == DeviceType::host) continue;
    benchmark::RegisterBenchmark(("color/partition" + where).c_str(), time_partition, device)
        ->ArgNames({"n", "rows", "run", "by_group"})
        ->ArgsProduct({{1, kObjects}, {1, 2, 4, 8, 16, 32}, {4, 16, 40, 120, 1920}, {0, 1}})
        ->UseManualTime()
        ->MinTime(0.01)  // of a launch each, of which there are kBatch
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace cltrack::accuracy
