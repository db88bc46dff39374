// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/gates.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"
#include "ops/network/activation.h"
#include "ops/network/convolutions.h"
#include "ops/vector_lanes.h"

namespace cltrack {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

namespace reference {

void gates(const LayerShape& shape, std::span<const float> weights, std::span<const float> map,
           std::span<float> gates) {
  const std::size_t inputs = at(shape.inputs), hidden = at(shape.hidden);
  std::vector<float> means(inputs), between(hidden);
  for (std::size_t c = 0; c < inputs; ++c) {
    float sum = 0;
    for (int y = 0; y < shape.side; ++y) {
      float row = 0;
      for (int x = 0; x < shape.side; ++x) row += map[at(y * shape.side + x) * inputs + c];
      sum += row;
    }
    means[c] = sum / static_cast<float>(shape.side * shape.side);
  }
  const std::size_t first_row = weight_row(shape.hidden), second_row = weight_row(shape.inputs);
  for (std::size_t k = 0; k < hidden; ++k) {
    float sum = weights[at(shape.bias) + k];
    for (std::size_t c = 0; c < inputs; ++c) {
      sum += means[c] * weights[at(shape.weights) + c * first_row + k];
    }
    between[k] = activate(sum, Activation::relu);
  }
  for (std::size_t c = 0; c < inputs; ++c) {
    float sum = weights[at(shape.second_bias) + c];
    for (std::size_t k = 0; k < hidden; ++k) {
      sum += between[k] * weights[at(shape.second_weights) + k * second_row + c];
    }
    gates[c] = activate(sum, static_cast<Activation>(shape.activation));
  }
}

void scale(const LayerShape& shape, std::span<const float> gates, std::span<float> map) {
  for (std::size_t i = 0; i < map_values(shape.side, shape.outputs); ++i) {
    map[i] =
        activate(map[i] * gates[i % at(shape.outputs)], static_cast<Activation>(shape.activation));
  }
}

}  // namespace reference

namespace vector {

namespace {

// sums[i] += by * row[i]
[[gnu::always_inline]] inline void add_row(float by, const float* row, int count, float* sums) {
  for (int i = 0; i < count; ++i) sums[i] += by * row[i];
}

[[gnu::always_inline]] inline void make_gates(const LayerShape& shape, const float* weights,
                                              const float* map, float* rows, float* means,
                                              float* between, float* gates) {
  const int inputs = shape.inputs;
  std::fill_n(means, inputs, 0.0f);
  for (int y = 0; y < shape.side; ++y) {
    std::fill_n(rows, inputs, 0.0f);
    for (int x = 0; x < shape.side; ++x, map += inputs) {
      for (int c = 0; c < inputs; ++c) rows[c] += map[c];
    }
    for (int c = 0; c < inputs; ++c) means[c] += rows[c];
  }
  const auto places = static_cast<float>(shape.side * shape.side);
  for (int c = 0; c < inputs; ++c) means[c] /= places;
  std::copy_n(weights + shape.bias, shape.hidden, between);
  const auto first_row = static_cast<std::ptrdiff_t>(weight_row(shape.hidden));
  const auto second_row = static_cast<std::ptrdiff_t>(weight_row(inputs));
  for (int c = 0; c < inputs; ++c) {
    add_row(means[c], weights + shape.weights + c * first_row, shape.hidden, between);
  }
  for (int k = 0; k < shape.hidden; ++k) activate_each(between[k], Activation::relu);
  std::copy_n(weights + shape.second_bias, inputs, gates);
  for (int k = 0; k < shape.hidden; ++k) {
    add_row(between[k], weights + shape.second_weights + k * second_row, inputs, gates);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void scale_map(const float* gates, int places, int channels,
                                             Activation activation, float* map) {
  for (int place = 0; place < places; ++place, map += channels) {
    int c = 0;
    for (; c + kFloats<Floats> <= channels; c += kFloats<Floats>) {
      Floats value, gate;
      load(value, map + c);
      load(gate, gates + c);
      value *= gate;
      activate_each(value, activation);
      std::memcpy(map + c, &value, sizeof(value));
    }
    for (; c < channels; ++c) map[c] = activate(map[c] * gates[c], activation);
  }
}

void scale_narrow(const float* gates, int places, int channels, Activation activation, float* map) {
  scale_map<Floats4>(gates, places, channels, activation, map);
}
CLTRACK_AVX2 void scale_wide(const float* gates, int places, int channels, Activation activation,
                             float* map) {
  scale_map<Floats8>(gates, places, channels, activation, map);
}

}  // namespace

void gates(const LayerShape& shape, std::span<const float> weights, std::span<const float> map,
           std::span<float> gates) {
  std::vector<float> scratch(2 * at(shape.inputs) + at(shape.hidden));
  float* const means = scratch.data() + shape.inputs;
  kFastest<make_gates>(shape, weights.data(), map.data(), scratch.data(), means,
                       means + shape.inputs, gates.data());
  for (float& gate : gates.first(at(shape.inputs))) {
    gate = activate(gate, static_cast<Activation>(shape.activation));
  }
}

void scale(const LayerShape& shape, std::span<const float> gates, std::span<float> map) {
  static const auto body = fastest_body(scale_narrow, scale_wide);
  body(gates.data(), shape.side * shape.side, shape.outputs,
       static_cast<Activation>(shape.activation), map.data());
}

}  // namespace vector

namespace {

constexpr int kItems = 64;       // of a work-group of scale()
constexpr int kMostItems = 512;  // and of gates()

[[noreturn]] void refuse(const char* op, std::size_t values, std::size_t gates) {
  throw Error(ErrorCode::invalid_argument, std::string(op) + ": " + std::to_string(values) +
                                               " values, " + std::to_string(gates) +
                                               " gates or weights do not fit the layer");
}

}  // namespace

void gates(Queue& queue, const LayerShape& shape, std::size_t targets, const Array<float>& weights,
           const Array<float>& map, Array<float>& gates) {
  const std::size_t values = map_values(shape.side, shape.inputs), each = at(shape.inputs);
  const int kept = gate_values(shape.side, shape.inputs, shape.hidden);
  if (map.size() != targets * values || kept > kMostGateValues ||
      weights.size() < at(shape.weights) + each * weight_row(shape.hidden) ||
      weights.size() < at(shape.second_weights) + at(shape.hidden) * weight_row(shape.inputs) ||
      weights.size() < at(std::max(shape.bias + shape.hidden, shape.second_bias + shape.inputs))) {
    refuse("gates", map.size(), weights.size());
  }
  gates.resize(targets * each);
  if (targets == 0) return;
  if (queue.is_host()) {
    const auto by = weights.host_read();
    const auto from = map.host_read();
    const auto to = gates.host_write();
    queue.run(static_cast<int>(targets), [&](int i) {
      vector::gates(shape, by, entry_at(from, i, values), entry_at(to, i, each));
    });
    return;
  }
  const KernelName name = {"gates", "gates"};
  const std::uint64_t items = items_of_group(queue, name, 1, kMostItems);
  launch(queue, name, global(items, targets), local(items, 1), shape, in(weights), in(map),
         out(gates), local_memory<float>(at(kept)));
}

void scale(Queue& queue, const LayerShape& shape, std::size_t targets, const Array<float>& gates,
           Array<float>& map) {
  const std::size_t values = map_values(shape.side, shape.outputs), each = at(shape.outputs);
  if (map.size() != targets * values || gates.size() != targets * each) {
    refuse("scale", map.size(), gates.size());
  }
  if (targets == 0) return;
  if (queue.is_host()) {
    const auto by = gates.host_read();
    const auto to = map.host_update();
    queue.run(static_cast<int>(targets),
              [&](int i) { vector::scale(shape, entry_at(by, i, each), entry_at(to, i, values)); });
    return;
  }
  launch(queue, {"gates", "scale"}, global(values, targets), local(kItems, 1), shape, in(gates),
         inout(map));
}

}  // namespace cltrack
