// SPDX-License-Identifier: LGPL-2.1-or-later
// The ops of networks in sizes that NanoTrack has, on every device, for one target and for 64.
//
//   network/NAME/DEVICE/targets:N   data is there; many launches in a row, one wait: a target's
//                                   share of a launch
#include <benchmark/benchmark.h>

#include <chrono>
#include <functional>
#include <string>

#include "benchmarks.h"
#include "cltrack/error.h"
#include "compute/device.h"
#include "core/random.h"
#include "ops/network/convolutions.h"
#include "ops/network/gates.h"
#include "placements.h"

namespace cltrack::accuracy {
namespace {

constexpr int kBatch = 20;  // launches that share a wait

struct Data {
  Array<std::int32_t> slots;
  Array<float> weights, input, output;
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
};

void fill(Array<float>& array, std::size_t count) {
  Random random(count);
  array.resize(count);
  for (float& value : array.host_write()) value = random.uniform(-0.1f, 0.1f);
}

void time_layer(benchmark::State& state, const LayerBenchmark& layer, const DeviceInfo& device) {
  using Clock = std::chrono::steady_clock;
  try {
    const auto queue = Device::open(device)->make_queue();
    const auto targets = static_cast<std::size_t>(state.range(0));
    const LayerShape& shape = layer.shape;
    Data data;
    data.slots.assign(std::vector<std::int32_t>(targets));
    fill(data.weights, 300000);
    fill(data.input, targets * map_values(shape.side, shape.inputs));
    const auto body = [&] {
      for (int i = 0; i < kBatch; ++i) layer.run(*queue, shape, data);
      queue->finish();
    };
    body();
    for ([[maybe_unused]] auto _ : state) {
      const auto start = Clock::now();
      body();
      const std::chrono::duration<double> time = Clock::now() - start;
      state.SetIterationTime(time.count() / kBatch / static_cast<double>(targets));
    }
  } catch (const Error& error) {
    state.SkipWithError(error.what());
  }
}

}  // namespace

void register_network_benchmarks() {
  for (const DeviceInfo& device : benchmark_devices()) {
    for (const LayerBenchmark& layer : kLayers) {
      const std::string name = "network/" + std::string(layer.name) + "/" + short_name(device);
      benchmark::RegisterBenchmark(name.c_str(), time_layer, std::cref(layer), device)
          ->ArgName("targets")
          ->Arg(1)
          ->Arg(64)
          ->UseManualTime()
          ->MinTime(0.02)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace cltrack::accuracy
