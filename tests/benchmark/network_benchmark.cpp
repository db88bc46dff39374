// SPDX-License-Identifier: LGPL-2.1-or-later
// Networks on every device, for one target and for 64: their ops in sizes that NanoTrack has, and
// whole ones, of files (--network).
//
//   network/OP/DEVICE/targets:N      data is there; many launches in a row, one wait: a target's
//                                    share of a launch
//   network/search/DEVICE/targets:N  windows go up, answers come down, one wait: a target's share
//   network/template/DEVICE          what is made of a new template
#include <benchmark/benchmark.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "compute/device.h"
#include "core/random.h"
#include "network/siamese_network.h"
#include "ops/network/convolutions.h"
#include "ops/network/gates.h"
#include "ops/network/sample_pictures.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

constexpr int kBatch = 20;  // launches that share a wait

struct Data {
  Array<std::int32_t> slots;
  Array<float> weights, input, output;
  Array<float> gates;  // all are 1: scaled again and again, values would vanish
};

struct LayerBenchmark {
  const char* name;
  LayerShape shape;
  void (*run)(Queue&, const LayerShape&, Data&);
};

LayerShape shape_of(int side, int inputs, int outputs, int kernel, int stride) {
  LayerShape shape = {};
  shape.side = side;
  shape.made = (side + stride - 1) / stride;
  shape.inputs = inputs;
  shape.outputs = shape.pitch = outputs;
  shape.kernel_side = kernel;
  shape.stride = stride;
  shape.pad = kernel / 2;
  shape.activation = CLTRACK_ACTIVATION_HARD_SWISH;
  shape.hidden = inputs / 4;
  shape.bias = -1;
  return shape;
}

void run_convolution(Queue& queue, const LayerShape& shape, Data& data) {
  convolution(queue, shape, data.slots.size(), data.weights, data.input, data.output);
}
void run_depthwise(Queue& queue, const LayerShape& shape, Data& data) {
  depthwise(queue, shape, data.slots, data.weights, data.input, data.output);
}
void run_pointwise(Queue& queue, const LayerShape& shape, Data& data) {
  pointwise(queue, shape, data.slots, data.weights, data.input, data.output);
}
void run_gates(Queue& queue, const LayerShape& shape, Data& data) {
  LayerShape squeeze = shape;
  squeeze.bias = 0;
  gates(queue, squeeze, data.slots.size(), data.weights, data.input, data.output);
}
void run_scale(Queue& queue, const LayerShape& shape, Data& data) {
  gates(queue, shape, data.slots.size(), data.weights, data.input, data.output);
  scale(queue, shape, data.slots.size(), data.output, data.input);
}

void run_scaled_depthwise(Queue& queue, const LayerShape& shape, Data& data) {
  scaled_depthwise(queue, shape, data.slots, data.weights, data.gates, data.input, data.output);
}
void run_scaled_pointwise(Queue& queue, const LayerShape& shape, Data& data) {
  scaled_pointwise(queue, shape, data.slots, data.weights, data.gates, data.input, data.output);
}

const LayerBenchmark kLayers[] = {
    {"first", shape_of(255, 3, 16, 3, 2), run_convolution},
    {"depthwise-72", shape_of(64, 72, 72, 3, 2), run_depthwise},
    {"depthwise-240", shape_of(16, 240, 240, 5, 1), run_depthwise},
    {"pointwise-16-72", shape_of(64, 16, 72, 1, 1), run_pointwise},
    {"pointwise-40-240", shape_of(16, 40, 240, 1, 1), run_pointwise},
    {"pointwise-240-40", shape_of(16, 240, 40, 1, 1), run_pointwise},
    {"pointwise-96-96", shape_of(15, 96, 96, 1, 1), run_pointwise},
    {"gates-240", shape_of(16, 240, 240, 1, 1), run_gates},
    {"gates-scale-240", shape_of(16, 240, 240, 1, 1), run_scale},
    {"scaled-depthwise-240", shape_of(16, 240, 240, 5, 1), run_scaled_depthwise},
    {"scaled-pointwise-240-40", shape_of(16, 240, 40, 1, 1), run_scaled_pointwise},
};

void fill(Array<float>& array, std::size_t count) {
  Random random(count);
  array.resize(count);
  for (float& value : array.host_write()) value = random.uniform(-0.1f, 0.1f);
}

// Repeats `body`, which does `share` times what is reported as one iteration.
template <typename Body>
void measure(benchmark::State& state, double share, const Body& body) {
  using Clock = std::chrono::steady_clock;
  body();
  for ([[maybe_unused]] auto _ : state) {
    const auto start = Clock::now();
    body();
    const std::chrono::duration<double> time = Clock::now() - start;
    state.SetIterationTime(time.count() / share);
  }
}

void time_layer(benchmark::State& state, const LayerBenchmark& layer, const DeviceInfo& device) {
  try {
    const auto queue = Device::open(device)->make_queue();
    const auto targets = static_cast<std::size_t>(state.range(0));
    const LayerShape& shape = layer.shape;
    Data data;
    data.slots.assign(std::vector<std::int32_t>(targets));
    fill(data.weights, 300000);
    fill(data.input, targets * map_values(shape.side, shape.inputs));
    data.gates.assign(std::vector<float>(targets * static_cast<std::size_t>(shape.inputs), 1));
    measure(state, kBatch * static_cast<double>(targets), [&] {
      for (int i = 0; i < kBatch; ++i) layer.run(*queue, shape, data);
      queue->finish();
    });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

// Search windows of 60 x 60 pixels' boxes, out of a picture of 640 x 480 as decoders make them.
void time_pictures(benchmark::State& state, const DeviceInfo& device) {
  constexpr int kWidth = 640, kHeight = 480, kSide = 255;
  try {
    const auto queue = Device::open(device)->make_queue();
    const auto targets = static_cast<std::size_t>(state.range(0));
    std::vector<std::uint8_t> bytes(kWidth * kHeight * 3 / 2);
    Random random(1);
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.below(256));
    const std::uint8_t* const chroma = bytes.data() + kWidth * kHeight;
    ColorPicture picture{.space = ColorSpace::yuv,
                         .encoding = {},
                         .width = kWidth,
                         .height = kHeight,
                         .components = {}};
    picture.components = {ColorComponent{bytes.data(), kWidth},
                          {chroma, kWidth, 2, 1, 1},
                          {chroma + 1, kWidth, 2, 1, 1}};
    ColorPlanes planes;
    planes.borrow(picture);
    std::vector<PictureJob> jobs;
    for (std::size_t i = 0; i < targets; ++i) {
      jobs.push_back(picture_job({random.uniform(0, 400), random.uniform(0, 240), 240, 240}, kSide,
                                 {128, 128, 128}));
    }
    const Array<PictureJob> all(jobs);
    Array<float> pictures;
    measure(state, kBatch * static_cast<double>(targets), [&] {
      for (int i = 0; i < kBatch; ++i) {
        sample_pictures(*queue, planes, all, kSide, {0, 0, 0}, pictures);
      }
      queue->finish();
    });
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

SiameseNetwork read_network(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return SiameseNetwork(std::make_shared<NetworkModel>(NetworkModel::parse(bytes)));
}

void fill_pictures(Array<float>& array, std::size_t count) {
  Random random(count);
  array.resize(count);
  for (float& value : array.host_write()) value = static_cast<float>(random.below(256));
}

void time_search(benchmark::State& state, const std::filesystem::path& path,
                 const DeviceInfo& device) {
  try {
    SiameseNetwork network = read_network(path);
    const auto queue = Device::open(device)->make_queue();
    const auto targets = static_cast<std::size_t>(state.range(0));
    Array<float> pictures, windows;
    fill_pictures(pictures, targets * network.template_pixels());
    fill_pictures(windows, targets * network.search_pixels());
    const Array<float> templates(network.make_templates(*queue, pictures));
    std::vector<std::int32_t> own;
    for (std::size_t i = 0; i < targets; ++i) own.push_back(static_cast<std::int32_t>(i));
    const Array<std::int32_t> slots(own);
    NetworkAnswers answers;
    measure(state, static_cast<double>(targets), [&] {
      static_cast<void>(windows.host_update());
      network.search(*queue, windows, templates, slots, answers);
      answers.scores.fetch();
      answers.boxes.fetch();
      queue->finish();
    });
    state.SetLabel(network.model().name);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void time_template(benchmark::State& state, const std::filesystem::path& path,
                   const DeviceInfo& device) {
  try {
    SiameseNetwork network = read_network(path);
    const auto queue = Device::open(device)->make_queue();
    Array<float> pictures;
    fill_pictures(pictures, network.template_pixels());
    measure(state, 1, [&] {
      static_cast<void>(pictures.host_update());
      network.make_templates(*queue, pictures);
    });
    state.SetLabel(network.model().name);
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

void register_networks(std::span<const std::filesystem::path> networks, const DeviceInfo& device) {
  for (const std::filesystem::path& path : networks) {
    const std::string tail = short_name(device) + "/" + path.stem().string();
    benchmark::RegisterBenchmark(("network/search/" + tail).c_str(), time_search, path, device)
        ->ArgName("targets")
        ->Arg(1)
        ->Arg(64)
        ->UseManualTime()
        ->MinTime(0.2)
        ->Unit(benchmark::kMicrosecond);
    benchmark::RegisterBenchmark(("network/template/" + tail).c_str(), time_template, path, device)
        ->UseManualTime()
        ->MinTime(0.2)
        ->Unit(benchmark::kMicrosecond);
  }
}

}  // namespace

void register_network_benchmarks(std::span<const std::filesystem::path> networks) {
  for (const DeviceInfo& device : benchmark_devices()) {
    register_networks(networks, device);
    const auto add = [&](const char* op, const std::function<void(benchmark::State&)>& time) {
      const std::string name = "network/" + std::string(op) + "/" + short_name(device);
      benchmark::RegisterBenchmark(name.c_str(), time)
          ->ArgName("targets")
          ->Arg(1)
          ->Arg(64)
          ->UseManualTime()
          ->MinTime(0.02)
          ->Unit(benchmark::kMicrosecond);
    };
    add("pictures", [device](benchmark::State& state) { time_pictures(state, device); });
    for (const LayerBenchmark& layer : kLayers) {
      add(layer.name,
          [&layer, device](benchmark::State& state) { time_layer(state, layer, device); });
    }
  }
}

}  // namespace cltrack::accuracy
