// SPDX-License-Identifier: LGPL-2.1-or-later
// Layers of networks: odd numbers of places and channels, kernels that reach beyond borders.
#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <vector>

#include "kernels/network_types.h"
#include "ops/network/convolutions.h"
#include "support/check_op.h"

namespace cltrack::test {

struct Kernel {
  int kernel = 1, stride = 1, pad = 0;
};

inline LayerShape layer_shape(int side, int inputs, int outputs, const Kernel& kernel = {}) {
  LayerShape shape = {};
  shape.side = side;
  shape.made = (side + 2 * kernel.pad - kernel.kernel) / kernel.stride + 1;
  shape.inputs = inputs;
  shape.outputs = outputs;
  shape.pitch = outputs;
  shape.kernel_side = kernel.kernel;
  shape.stride = kernel.stride;
  shape.pad = kernel.pad;
  return shape;
}

struct LayerCase {
  enum Kind { convolution, depthwise, pointwise } kind;
  LayerShape shape;

  std::size_t weights() const {
    const auto taps = static_cast<std::size_t>(shape.kernel_side * shape.kernel_side);
    return kind == depthwise
               ? taps * static_cast<std::size_t>(shape.outputs)
               : taps * static_cast<std::size_t>(shape.inputs) * weight_row(shape.outputs);
  }
  friend std::ostream& operator<<(std::ostream& out, const LayerCase& each) {
    constexpr const char* kNames[] = {"convolution", "depthwise", "pointwise"};
    const LayerShape& s = each.shape;
    return out << kNames[each.kind] << " of " << s.side << " x " << s.inputs << " to " << s.made
               << " x " << s.outputs << ", kernel " << s.kernel_side << ", stride " << s.stride
               << ", pad " << s.pad << ", activation " << s.activation;
  }
};

// Weights lie behind others, every other time where vectors may begin, the bias behind them. Few of
// them: for devices, since simulated ones are slow.
inline constexpr int kBefore = 8;
enum class LayerCases { all, few };
inline std::vector<LayerCase> layer_cases(LayerCases which) {
  using Numbers = std::vector<int>;
  const bool is_few = which == LayerCases::few;
  std::vector<LayerCase> all;
  int activation = 0;
  const auto add = [&](LayerCase::Kind kind, const LayerShape& shape) {
    LayerCase& each = all.emplace_back(LayerCase{kind, shape});
    each.shape.activation = activation++ % 7;
    each.shape.weights = all.size() % 2 == 0 ? kBefore : 3;
    const int behind = each.shape.weights + static_cast<int>(each.weights());
    each.shape.bias = all.size() % 4 == 0 ? -1 : behind;
  };
  for (const Kernel& kernel : {Kernel{1, 1, 0},
                               {3, 1, 1},
                               {3, 2, 1},
                               {5, 1, 2},
                               {5, 2, 2},
                               {2, 1, 0},
                               {4, 1, 1},
                               {1, 1, -2},
                               {3, 3, 2},
                               {7, 1, 6}}) {
    for (const int side : is_few ? Numbers{5} : Numbers{5, 9, 16}) {
      for (const int channels : is_few ? Numbers{11, 12} : Numbers{1, 8, 11, 45}) {
        add(LayerCase::depthwise, layer_shape(side, channels, channels, kernel));
      }
      for (const int outputs : is_few ? Numbers{5} : Numbers{2, 16, 19}) {
        add(LayerCase::convolution, layer_shape(side, 3, outputs, kernel));
      }
    }
  }
  for (const int side : is_few ? Numbers{1, 5} : Numbers{1, 2, 5, 9}) {
    for (const int inputs : is_few ? Numbers{3, 40} : Numbers{1, 3, 16, 40}) {
      for (const int outputs : is_few ? Numbers{2, 12, 33} : Numbers{1, 2, 8, 12, 24, 33, 40, 72}) {
        add(LayerCase::pointwise, layer_shape(side, inputs, outputs));
      }
    }
  }
  // Parts of an output, sums with it, and rows of places.
  for (const int outputs : {5, 16, 24}) {
    for (const LayerCase::Kind kind : {LayerCase::depthwise, LayerCase::pointwise}) {
      LayerShape part = layer_shape(7, outputs, outputs, {kind == LayerCase::depthwise ? 3 : 1});
      part.pitch = 31;
      part.first = 7;
      add(kind, part);
    }
    LayerShape sum = layer_shape(7, 9, outputs);
    sum.adds = 1;
    add(LayerCase::pointwise, sum);
    LayerShape turned = layer_shape(4, 9, outputs);
    turned.transposed = 1;
    add(LayerCase::pointwise, turned);
  }
  return all;
}

inline std::vector<float> layer_weights(const LayerCase& each, std::uint64_t seed) {
  return random_floats(kBefore + each.weights() + weight_row(each.shape.outputs), -1, 1, seed);
}

// Random ones; zeros of both signs; and those so large or small that sums nearly overflow, or are
// denormal.
inline std::vector<std::vector<float>> layer_inputs(const LayerShape& shape) {
  const std::size_t count = map_values(shape.side, shape.inputs);
  std::vector<std::vector<float>> all = {random_floats(count, -4, 4, 2)};
  for (const float most : {-0.0f, 1e34f, 1e-38f}) {
    std::vector<float> values = random_floats(count, -1, 1, 3);
    for (float& value : values) value *= most;
    all.push_back(values);
  }
  return all;
}

}  // namespace cltrack::test
