// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/convolutions.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"
#include "ops/network/activation.h"
#include "ops/network/gates.h"
#include "ops/vector_lanes.h"

namespace cltrack {

namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

float bias_of(const LayerShape& shape, std::span<const float> weights, int channel) {
  return shape.bias < 0 ? 0 : weights[at(shape.bias + channel)];
}

float* output_at(const LayerShape& shape, std::span<float> output, int place, int channel) {
  const int places = shape.made * shape.made;
  return &output[shape.transposed ? at(channel) * at(places) + at(place)
                                  : at(place) * at(shape.pitch) + at(shape.first + channel)];
}

void put(const LayerShape& shape, float sum, float* to) {
  const float made = activate(sum, static_cast<Activation>(shape.activation));
  *to = shape.adds ? *to + made : made;
}

// Calls body(tap, from) for the kernel's taps at a place of the output, row by row, that lie within
// the map; `from` is the place there.
template <typename Body>
void for_each_tap(const LayerShape& shape, int place, const Body& body) {
  const int left = place % shape.made * shape.stride - shape.pad;
  const int top = place / shape.made * shape.stride - shape.pad;
  for (int tap = 0; tap < shape.kernel_side * shape.kernel_side; ++tap) {
    const int x = left + tap % shape.kernel_side, y = top + tap / shape.kernel_side;
    if (x < 0 || y < 0 || x >= shape.side || y >= shape.side) continue;
    body(at(tap), at(y) * at(shape.side) + at(x));
  }
}

// Rows [first, end) of the output of depthwise(), from `channel` on.
void filter_channels(const LayerShape& shape, std::span<const float> weights,
                     std::span<const float> input, int channel, int first, int end,
                     std::span<float> output) {
  for (int place = first * shape.made; place < end * shape.made; ++place) {
    for (int k = channel; k < shape.outputs; ++k) {
      float sum = bias_of(shape, weights, k);
      for_each_tap(shape, place, [&](std::size_t tap, std::size_t from) {
        sum += input[from * at(shape.inputs) + at(k)] *
               weights[at(shape.weights) + tap * at(shape.outputs) + at(k)];
      });
      put(shape, sum, output_at(shape, output, place, k));
    }
  }
}

}  // namespace

namespace reference {

void convolution(const LayerShape& shape, std::span<const float> weights,
                 std::span<const float> input, std::span<float> output) {
  const std::size_t row = weight_row(shape.outputs), inputs = at(shape.inputs);
  for (int place = 0; place < shape.made * shape.made; ++place) {
    for (int k = 0; k < shape.outputs; ++k) {
      float sum = bias_of(shape, weights, k);
      for_each_tap(shape, place, [&](std::size_t tap, std::size_t from) {
        for (std::size_t c = 0; c < inputs; ++c) {
          sum += input[from * inputs + c] *
                 weights[at(shape.weights) + (tap * inputs + c) * row + at(k)];
        }
      });
      put(shape, sum, output_at(shape, output, place, k));
    }
  }
}

void depthwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, std::span<float> output) {
  filter_channels(shape, weights, input, 0, 0, shape.made, output);
}

void pointwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, std::span<float> output) {
  const std::size_t row = weight_row(shape.outputs);
  for (int place = 0; place < shape.made * shape.made; ++place) {
    for (int k = 0; k < shape.outputs; ++k) {
      float sum = bias_of(shape, weights, k);
      for (int c = 0; c < shape.inputs; ++c) {
        sum += input[at(place) * at(shape.inputs) + at(c)] *
               weights[at(shape.weights) + at(c) * row + at(k)];
      }
      put(shape, sum, output_at(shape, output, place, k));
    }
  }
}

}  // namespace reference

namespace vector {

namespace {

// Sums of kPlaces places, kVectors vectors of outputs of each. As many as registers hold: the wider
// a block is, the fewer loads there are for a product.
template <typename Floats, int kPlaces, int kVectors>
struct Block {
  Floats sums[kPlaces][kVectors];

  [[gnu::always_inline]] void begin(const LayerShape& shape, const float* weights, int channel) {
    for (int v = 0; v < kVectors; ++v) {
      Floats bias = {};
      if (shape.bias >= 0) load(bias, weights + shape.bias + channel + v * kFloats<Floats>);
      for (int p = 0; p < kPlaces; ++p) sums[p][v] = bias;
    }
  }

  // Adds `count` values of each place, which lie `step` apart, times rows of weights.
  [[gnu::always_inline]] void add(const float* input, std::ptrdiff_t step, int count,
                                  const float* weights, std::ptrdiff_t row) {
    for (int c = 0; c < count; ++c, weights += row) {
      Floats by[kVectors];
      for (int v = 0; v < kVectors; ++v) load(by[v], weights + v * kFloats<Floats>);
      for (int p = 0; p < kPlaces; ++p) {
        const float value = input[p * step + c];
        for (int v = 0; v < kVectors; ++v) sums[p][v] += value * by[v];
      }
    }
  }

  [[gnu::always_inline]] void put(const LayerShape& shape, int place, int channel,
                                  float* output) const {
    const auto activation = static_cast<Activation>(shape.activation);
    const bool is_plain = activation == Activation::sigmoid || activation == Activation::exp ||
                          shape.transposed != 0 ||
                          channel + kVectors * kFloats<Floats> > shape.outputs;
    for (int p = 0; p < kPlaces; ++p) {
      if (is_plain) {
        put_each(shape, place + p, channel, sums[p], output);
        continue;
      }
      float* to = output + (std::ptrdiff_t{place} + p) * shape.pitch + shape.first + channel;
      for (int v = 0; v < kVectors; ++v, to += kFloats<Floats>) {
        Floats made = sums[p][v], before;
        activate_each(made, activation);
        if (shape.adds) {
          load(before, to);
          made = before + made;
        }
        std::memcpy(to, &made, sizeof(made));
      }
    }
  }

  static void put_each(LayerShape shape, int place, int channel, const Floats* from,
                       float* output) {
    float values[kVectors * kFloats<Floats>];
    std::memcpy(values, from, sizeof(values));
    const std::span<float> all(output, map_values(shape.made, shape.pitch));
    for (int i = 0; i < kVectors * kFloats<Floats> && channel + i < shape.outputs; ++i) {
      cltrack::put(shape, values[i], output_at(shape, all, place, channel + i));
    }
  }
};

template <typename Floats, int kPlaces, int kVectors>
[[gnu::always_inline]] inline void multiply(const LayerShape& shape, const float* weights,
                                            const float* input, int place, int channel,
                                            float* output) {
  Block<Floats, kPlaces, kVectors> block;
  block.begin(shape, weights, channel);
  block.add(input + std::ptrdiff_t{place} * shape.inputs, shape.inputs, shape.inputs,
            weights + shape.weights + channel,
            static_cast<std::ptrdiff_t>(weight_row(shape.outputs)));
  block.put(shape, place, channel, output);
}

// All places, for some outputs whose weights stay in the nearest cache meanwhile. What is left over
// is made once more with those before it, unless that would be added twice.
template <typename Floats, int kPlaces, int kVectors>
[[gnu::always_inline]] inline void multiply_all(const LayerShape& shape, const float* weights,
                                                const float* input, int first, int end, int channel,
                                                float* output) {
  int place = first;
  for (; place + kPlaces <= end; place += kPlaces) {
    multiply<Floats, kPlaces, kVectors>(shape, weights, input, place, channel, output);
  }
  if (place < end && end - first >= kPlaces && !shape.adds) {
    multiply<Floats, kPlaces, kVectors>(shape, weights, input, end - kPlaces, channel, output);
    return;
  }
  for (; place < end; ++place) {
    multiply<Floats, 1, kVectors>(shape, weights, input, place, channel, output);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void pointwise_of(const LayerShape& shape, const float* weights,
                                                const float* input, int first, int end,
                                                float* output) {
  constexpr int kWidth = kFloats<Floats>;
  int channel = 0;
  // Threes and, so that no single one is left over, twos.
  for (int left = (shape.outputs + kWidth - 1) / kWidth; left > 0;) {
    if (left == 1) {
      multiply_all<Floats, 6, 1>(shape, weights, input, first, end, channel, output);
      left -= 1, channel += kWidth;
    } else if (left % 3 != 0) {
      multiply_all<Floats, 6, 2>(shape, weights, input, first, end, channel, output);
      left -= 2, channel += 2 * kWidth;
    } else {
      multiply_all<Floats, 3, 3>(shape, weights, input, first, end, channel, output);
      left -= 3, channel += 3 * kWidth;
    }
  }
}

// Places beside each other whose kernels lie within the map, as far as columns go.
template <typename Floats, int kPlaces, int kVectors>
[[gnu::always_inline]] inline void convolve(const LayerShape& shape, const float* weights,
                                            const float* input, int x, int y, int channel,
                                            float* output) {
  const auto row = static_cast<std::ptrdiff_t>(weight_row(shape.outputs));
  const int left = x * shape.stride - shape.pad, top = y * shape.stride - shape.pad;
  const int skipped = std::max(0, -left);
  const int columns = std::min(shape.kernel_side, shape.side - left) - skipped;
  Block<Floats, kPlaces, kVectors> block;
  block.begin(shape, weights, channel);
  for (int ky = std::max(0, -top); ky < std::min(shape.kernel_side, shape.side - top); ++ky) {
    const std::ptrdiff_t from = std::ptrdiff_t{top + ky} * shape.side + left + skipped;
    const std::ptrdiff_t by = (std::ptrdiff_t{ky} * shape.kernel_side + skipped) * shape.inputs;
    block.add(input + from * shape.inputs, std::ptrdiff_t{shape.stride} * shape.inputs,
              columns * shape.inputs, weights + shape.weights + by * row + channel, row);
  }
  block.put(shape, y * shape.made + x, channel, output);
}

// The first place of a row whose kernel begins within the map, and the end of those whose kernels
// end there.
int first_inside(const LayerShape& shape) {
  return std::min(shape.made, (std::max(0, shape.pad) + shape.stride - 1) / shape.stride);
}
int end_inside(const LayerShape& shape) {
  const int room = shape.side - shape.kernel_side + shape.pad;
  return std::clamp(room < 0 ? 0 : room / shape.stride + 1, 0, shape.made);
}

template <typename Floats, int kPlaces, int kVectors>
[[gnu::always_inline]] inline void convolve_row(const LayerShape& shape, const float* weights,
                                                const float* input, int y, int channel,
                                                float* output) {
  const int first = first_inside(shape), end = end_inside(shape);
  int x = 0;
  for (; x < std::min(first, shape.made); ++x) {
    convolve<Floats, 1, kVectors>(shape, weights, input, x, y, channel, output);
  }
  for (; x + kPlaces <= end; x += kPlaces) {
    convolve<Floats, kPlaces, kVectors>(shape, weights, input, x, y, channel, output);
  }
  for (; x < shape.made; ++x) {
    convolve<Floats, 1, kVectors>(shape, weights, input, x, y, channel, output);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void convolution_of(const LayerShape& shape, const float* weights,
                                                  const float* input, int first, int end,
                                                  float* output) {
  constexpr int kWidth = kFloats<Floats>;
  for (int y = first; y < end; ++y) {
    int channel = 0;
    for (; channel + kWidth < shape.outputs; channel += 2 * kWidth) {
      convolve_row<Floats, 6, 2>(shape, weights, input, y, channel, output);
    }
    if (channel < shape.outputs) {
      convolve_row<Floats, 6, 1>(shape, weights, input, y, channel, output);
    }
  }
}

// The kernels of places beside each other, which all have the columns that lie within the map.
template <typename Floats, int kPlaces, int kVectors>
[[gnu::always_inline]] inline void filter(const LayerShape& shape, const float* weights,
                                          const float* input, int x, int y, int channel,
                                          float* output) {
  const int left = x * shape.stride - shape.pad, top = y * shape.stride - shape.pad;
  const int begin = std::max(0, -left), end = std::min(shape.kernel_side, shape.side - left);
  const std::ptrdiff_t step = std::ptrdiff_t{shape.stride} * shape.inputs;
  Block<Floats, kPlaces, kVectors> block;
  block.begin(shape, weights, channel);
  for (int ky = std::max(0, -top); ky < std::min(shape.kernel_side, shape.side - top); ++ky) {
    const std::ptrdiff_t place = std::ptrdiff_t{top + ky} * shape.side + left + begin;
    const float* from = input + place * shape.inputs + channel;
    const std::ptrdiff_t tap = std::ptrdiff_t{ky} * shape.kernel_side + begin;
    const float* by = weights + shape.weights + tap * shape.outputs + channel;
    for (int kx = begin; kx < end; ++kx, from += shape.inputs, by += shape.outputs) {
      for (int v = 0; v < kVectors; ++v) {
        Floats weight, value;
        load(weight, by + v * kFloats<Floats>);
        for (int p = 0; p < kPlaces; ++p) {
          load(value, from + p * step + v * kFloats<Floats>);
          block.sums[p][v] += value * weight;
        }
      }
    }
  }
  block.put(shape, y * shape.made + x, channel, output);
}

// All channels that fill vectors.
template <typename Floats, int kPlaces>
[[gnu::always_inline]] inline void filter_all(const LayerShape& shape, const float* weights,
                                              const float* input, int x, int y, float* output) {
  constexpr int kWidth = kFloats<Floats>;
  int channel = 0;
  for (; channel + 4 * kWidth <= shape.outputs; channel += 4 * kWidth) {
    filter<Floats, kPlaces, 4>(shape, weights, input, x, y, channel, output);
  }
  for (; channel + kWidth <= shape.outputs; channel += kWidth) {
    filter<Floats, kPlaces, 1>(shape, weights, input, x, y, channel, output);
  }
}

template <typename Floats>
[[gnu::always_inline]] inline void depthwise_of(const LayerShape& shape, const float* weights,
                                                const float* input, int first, int end,
                                                float* output) {
  const int from = first_inside(shape), to = end_inside(shape);
  for (int y = first; y < end; ++y) {
    for (int x = 0; x < shape.made;) {
      if (x >= from && x + 2 <= to) {
        filter_all<Floats, 2>(shape, weights, input, x, y, output);
        x += 2;
      } else {
        filter_all<Floats, 1>(shape, weights, input, x, y, output);
        ++x;
      }
    }
  }
}

struct Bodies {
  using Body = void (*)(const LayerShape&, const float*, const float*, int, int, float*);
  Body convolution, depthwise, pointwise;
  int lanes;
};

#define CLTRACK_BODY(attribute, name, Floats)                                             \
  attribute void name##_##Floats(const LayerShape& shape, const float* weights,           \
                                 const float* input, int first, int end, float* output) { \
    const LayerShape own = shape; /* stays in registers, whatever is written */           \
    name##_of<Floats>(own, weights, input, first, end, output);                           \
  }
CLTRACK_BODY(, convolution, Floats4)
CLTRACK_BODY(, depthwise, Floats4)
CLTRACK_BODY(, pointwise, Floats4)
CLTRACK_BODY(CLTRACK_AVX2, convolution, Floats8)
CLTRACK_BODY(CLTRACK_AVX2, depthwise, Floats8)
CLTRACK_BODY(CLTRACK_AVX2, pointwise, Floats8)
#undef CLTRACK_BODY

const Bodies& bodies() {
  static const Bodies all =
      fastest_body(Bodies{convolution_Floats4, depthwise_Floats4, pointwise_Floats4, 4},
                   Bodies{convolution_Floats8, depthwise_Floats8, pointwise_Floats8, 8});
  return all;
}

}  // namespace

void convolution(const LayerShape& shape, std::span<const float> weights,
                 std::span<const float> input, int first, int end, std::span<float> output) {
  bodies().convolution(shape, weights.data(), input.data(), first, end, output.data());
}

void depthwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, int first, int end, std::span<float> output) {
  const int channels = shape.outputs / bodies().lanes * bodies().lanes;
  bodies().depthwise(shape, weights.data(), input.data(), first, end, output.data());
  filter_channels(shape, weights, input, channels, first, end, output);  // that fill no vector
}

void pointwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, int first, int end, std::span<float> output) {
  bodies().pointwise(shape, weights.data(), input.data(), first, end, output.data());
}

}  // namespace vector

namespace {

constexpr int kItems = 64;  // of a work-group
constexpr int kSide = 4;    // outputs that an item makes

constexpr int parts(int whole, int part) { return (whole + part - 1) / part; }

// Calls body(target, first, end) for parts of [0, count) of each target, on all threads.
template <typename Body>
void run_parts(Queue& queue, std::size_t targets, int count, const Body& body) {
  const int all = static_cast<int>(targets);
  const int cuts = std::clamp(queue.threads() / std::max(1, all), 1, count);
  queue.run(all * cuts, [&](int i) {
    const int part = i % cuts;
    body(at(i / cuts), count * part / cuts, count * (part + 1) / cuts);
  });
}

// Prepares the output.
void check(const char* op, const LayerShape& shape, std::size_t targets, std::size_t last_weight,
           const Array<float>& weights, const Array<float>& input, Array<float>& output) {
  const std::size_t read = targets * map_values(shape.side, shape.inputs);
  const std::size_t written = targets * map_values(shape.made, shape.pitch);
  const bool makes_first = shape.first == 0 && shape.adds == 0;
  const std::size_t last =
      std::max(last_weight, shape.bias < 0 ? 0 : at(shape.bias) + at(shape.outputs));
  if (input.size() != read || weights.size() < last || (!makes_first && output.size() != written) ||
      shape.first + shape.outputs > shape.pitch) {
    throw Error(ErrorCode::invalid_argument,
                std::string(op) + ": " + std::to_string(input.size()) + " values, " +
                    std::to_string(weights.size()) + " weights, " + std::to_string(output.size()) +
                    " values of the output; allowed: " + std::to_string(read) + ", " +
                    std::to_string(last) + " or more, " + std::to_string(written));
  }
  if (makes_first) output.resize(written);
}

Output output_of(const LayerShape& shape, Array<float>& output) {
  return shape.first == 0 && shape.adds == 0 ? out(output) : inout(output);
}

// The host's bodies of all targets.
template <typename Body>
void run_on_host(Queue& queue, const LayerShape& shape, std::size_t targets,
                 std::span<const std::int32_t> slots, int parts, const Array<float>& weights,
                 const Array<float>& input, Array<float>& output, const Body& body) {
  const auto by = weights.host_read();
  const auto from = input.host_read();
  const bool keeps = shape.adds != 0 || shape.outputs != shape.pitch;
  const auto to = keeps ? output.host_update() : output.host_write();
  const std::size_t read = map_values(shape.side, shape.inputs);
  const std::size_t written = map_values(shape.made, shape.pitch);
  run_parts(queue, targets, parts, [&](std::size_t target, int first, int end) {
    const std::size_t skipped =
        shape.slot_values > 0 ? at(slots[target]) * at(shape.slot_values) : 0;
    body(shape, by.subspan(skipped), entry_at(from, target, read), first, end,
         entry_at(to, target, written));
  });
}

void check_depthwise(const LayerShape& shape, std::size_t targets, const Array<float>& weights,
                     const Array<float>& input, Array<float>& output) {
  const std::size_t taps = at(shape.kernel_side * shape.kernel_side);
  check("depthwise", shape, targets, at(shape.weights) + taps * at(shape.outputs), weights, input,
        output);
}

void check_pointwise(const LayerShape& shape, std::size_t targets, const Array<float>& weights,
                     const Array<float>& input, Array<float>& output) {
  check("pointwise", shape, targets,
        at(shape.weights) + at(shape.inputs) * weight_row(shape.outputs), weights, input, output);
}

void check_gates(const char* op, const LayerShape& shape, std::size_t targets,
                 const Array<float>& gates) {
  if (gates.size() == targets * at(shape.inputs)) return;
  throw Error(ErrorCode::invalid_argument,
              std::string(op) + ": " + std::to_string(gates.size()) +
                  " gates; allowed: " + std::to_string(targets * at(shape.inputs)));
}

// Of the scale() that comes before a layer.
LayerShape scale_shape(const LayerShape& shape) {
  LayerShape scaling = shape;
  scaling.outputs = shape.inputs;
  scaling.activation = shape.scaling;
  return scaling;
}

// Where the layer is not scaled, `gates` may be anything.
void launch_depthwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates,
                      const Array<float>& input, Array<float>& output) {
  launch(queue, {"depthwise", "depthwise"},
         global(shape.made * shape.made * parts(shape.outputs, kSide), slots.size()),
         local(kItems, 1), shape, in(slots), in(weights), in(gates), in(input),
         output_of(shape, output));
}

void launch_pointwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates,
                      const Array<float>& input, Array<float>& output) {
  launch(queue, {"pointwise", "pointwise"},
         global(parts(shape.outputs, kSide), parts(shape.made * shape.made, CLTRACK_PRODUCT_PLACES),
                slots.size()),
         local(CLTRACK_PRODUCT_ACROSS, CLTRACK_PRODUCT_ACROSS, 1), shape, in(slots), in(weights),
         in(gates), in(input), output_of(shape, output));
}

}  // namespace

void convolution(Queue& queue, const LayerShape& shape, std::size_t targets,
                 const Array<float>& weights, const Array<float>& input, Array<float>& output) {
  const std::size_t taps = at(shape.kernel_side * shape.kernel_side) * at(shape.inputs);
  check("convolution", shape, targets, at(shape.weights) + taps * weight_row(shape.outputs),
        weights, input, output);
  if (targets == 0) return;
  if (queue.is_host()) {
    run_on_host(queue, shape, targets, {}, shape.made, weights, input, output, vector::convolution);
    return;
  }
  launch(queue, {"convolution", "convolution"},
         global(shape.made * shape.made * parts(shape.outputs, kSide), targets), local(kItems, 1),
         shape, in(weights), in(input), output_of(shape, output));
}

void depthwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
               const Array<float>& weights, const Array<float>& input, Array<float>& output) {
  check_depthwise(shape, slots.size(), weights, input, output);
  if (queue.is_host()) {
    run_on_host(queue, shape, slots.size(), slots.host_read(), shape.made, weights, input, output,
                vector::depthwise);
    return;
  }
  launch_depthwise(queue, shape, slots, weights, weights, input, output);
}

void scaled_depthwise(Queue& queue, LayerShape shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates, Array<float>& input,
                      Array<float>& output) {
  if (queue.is_host()) {
    scale(queue, scale_shape(shape), slots.size(), gates, input);
    depthwise(queue, shape, slots, weights, input, output);
    return;
  }
  check_depthwise(shape, slots.size(), weights, input, output);
  check_gates("depthwise", shape, slots.size(), gates);
  shape.scaled = 1;
  launch_depthwise(queue, shape, slots, weights, gates, input, output);
}

void pointwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
               const Array<float>& weights, const Array<float>& input, Array<float>& output) {
  check_pointwise(shape, slots.size(), weights, input, output);
  if (queue.is_host()) {
    run_on_host(queue, shape, slots.size(), slots.host_read(), shape.made * shape.made, weights,
                input, output, vector::pointwise);
    return;
  }
  launch_pointwise(queue, shape, slots, weights, weights, input, output);
}

void scaled_pointwise(Queue& queue, LayerShape shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates, Array<float>& input,
                      Array<float>& output) {
  if (queue.is_host()) {
    scale(queue, scale_shape(shape), slots.size(), gates, input);
    pointwise(queue, shape, slots, weights, input, output);
    return;
  }
  check_pointwise(shape, slots.size(), weights, input, output);
  check_gates("pointwise", shape, slots.size(), gates);
  shape.scaled = 1;
  launch_pointwise(queue, shape, slots, weights, gates, input, output);
}

}  // namespace cltrack
