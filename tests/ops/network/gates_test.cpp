// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/gates.h"

#include <gtest/gtest.h>

#include <vector>

#include "ops/network/activation.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/layer_shapes.h"

namespace cltrack {
namespace {

using test::expect_same;
using test::random_floats;
using Floats = std::vector<float>;

LayerShape gate_shape(int side, int channels, int hidden, Activation activation) {
  LayerShape shape = test::layer_shape(side, channels, channels);
  shape.made = 1;
  shape.hidden = hidden;
  shape.activation = static_cast<int>(activation);
  shape.weights = 5;
  shape.bias = shape.weights + channels * static_cast<int>(weight_row(hidden));
  shape.second_weights = shape.bias + static_cast<int>(weight_row(hidden));
  shape.second_bias = shape.second_weights + hidden * static_cast<int>(weight_row(channels));
  return shape;
}
std::size_t gate_weights(const LayerShape& shape) {
  return static_cast<std::size_t>(shape.second_bias) + weight_row(shape.inputs);
}

// 2 channels of 2 x 2 places, with means of 2 and -4.
TEST(Gates, ComeFromTheMeansOfAllChannels) {
  const LayerShape shape = gate_shape(2, 2, 2, Activation::none);
  Floats weights(gate_weights(shape));
  const auto set = [&](int first, std::initializer_list<float> values) {
    std::copy(values.begin(), values.end(), weights.begin() + first);
  };
  set(shape.weights, {1, 2});      // of the first mean to both values between
  set(shape.weights + 8, {0, 3});  // of the second one
  set(shape.bias, {0.5f, 1});
  set(shape.second_weights, {10, 20});
  set(shape.second_weights + 8, {1000, 1000});  // of 4 - 12 + 1, which ReLU makes 0
  set(shape.second_bias, {1, -1});
  Floats gates(2);
  reference::gates(shape, weights, Floats{1, -1, 2, -2, 2, -6, 3, -7}, gates);
  EXPECT_EQ(gates, (Floats{26, 49}));
}

// 2^24 + 1 is no float: rows are added up first.
TEST(Gates, AddsUpRowsFirst) {
  const LayerShape shape = gate_shape(2, 1, 1, Activation::none);
  Floats weights(gate_weights(shape));
  weights[static_cast<std::size_t>(shape.weights)] = 1;
  weights[static_cast<std::size_t>(shape.second_weights)] = 4;
  Floats gates(1);
  reference::gates(shape, weights, Floats{16777216, 0, 1, 1}, gates);
  EXPECT_EQ(gates[0], 16777218);
  reference::gates(shape, weights, Floats{16777216, 1, 0, 1}, gates);
  EXPECT_EQ(gates[0], 16777216);
}

TEST(Scale, MultipliesChannels) {
  LayerShape shape = test::layer_shape(2, 2, 2);
  shape.activation = static_cast<int>(Activation::relu6);
  Floats map = {1, 1, 2, 2, 3, 3, -1, -1};
  reference::scale(shape, Floats{0.5f, -4}, map);
  EXPECT_EQ(map, (Floats{0.5f, 0, 1, 0, 1.5f, 0, 0, 4}));
}

TEST(GateVectorBodies, EqualThePlainOnes) {
  for (const int side : {1, 7, 16}) {
    for (const int channels : {1, 6, 16, 41}) {
      for (const int hidden : {1, 8, 11}) {
        for (int activation = 0; activation < 7; ++activation) {
          const LayerShape shape =
              gate_shape(side, channels, hidden, static_cast<Activation>(activation));
          const Floats weights = random_floats(gate_weights(shape), -1, 1, 4);
          for (const Floats& map : test::layer_inputs(shape)) {
            const auto count = static_cast<std::size_t>(channels);
            Floats expected(count), got(count);
            reference::gates(shape, weights, map, expected);
            vector::gates(shape, weights, map, got);
            expect_same<float>(got, expected);
            if (activation >= static_cast<int>(Activation::sigmoid)) continue;
            Floats scaled = map, other = map;
            reference::scale(shape, expected, scaled);
            vector::scale(shape, expected, other);
            expect_same<float>(other, scaled);
          }
        }
      }
    }
  }
}

class GatesOnDevice : public test::DeviceTest {};

TEST_P(GatesOnDevice, EqualPlainBodies) {
  for (const int side : {1, 5, 7}) {
    for (const int channels : {1, 8, 41, 270}) {
      const auto activation = static_cast<Activation>((side + channels) % 7);
      const LayerShape shape = gate_shape(side, channels, side == 5 ? 60 : 11, activation);
      const auto count = static_cast<std::size_t>(channels);
      const Floats weights = random_floats(gate_weights(shape), -1, 1, 4);
      Floats maps, expected;
      for (const Floats& map : test::layer_inputs(shape)) {
        maps.insert(maps.end(), map.begin(), map.end());
        expected.resize(expected.size() + count);
        reference::gates(shape, weights, map, std::span(expected).last(count));
      }
      const std::size_t targets = expected.size() / count;
      const Array<float> by(weights), from(maps);
      test::check_op(
          *queue_, 1, [&](Array<float>& made) { gates(*queue_, shape, targets, by, from, made); },
          test::Output{expected});
      LayerShape scaling = shape;
      scaling.activation = (side + channels) % 5;
      Floats scaled = maps;
      for (std::size_t i = 0; i < targets; ++i) {
        reference::scale(scaling, test::part_of(expected, i, count),
                         test::part_of(scaled, i, map_values(side, channels)));
      }
      const Array<float> factors(expected);
      test::check_op(
          *queue_, 1, [&](Array<float>& map) { scale(*queue_, scaling, targets, factors, map); },
          test::Output{scaled, maps});
    }
  }
}

TEST_P(GatesOnDevice, RejectWhatDoesNotFit) {
  const LayerShape shape = gate_shape(4, 8, 3, Activation::sigmoid);
  const Array<float> weights(gate_weights(shape)), few(gate_weights(shape) - 1), map(128), one(8);
  Array<float> made, other(127);
  test::expect_rejected([&] { gates(*queue_, shape, 1, few, map, made); }, {"gates"});
  test::expect_rejected([&] { gates(*queue_, shape, 2, weights, map, made); });
  test::expect_rejected([&] { scale(*queue_, shape, 1, one, other); }, {"scale"});
  const LayerShape large = gate_shape(100, 80, 3, Activation::none);
  test::expect_rejected([&] {
    gates(*queue_, large, 1, Array<float>(gate_weights(large)), Array<float>(800000), made);
  });
}

CLTRACK_ON_EVERY_DEVICE(GatesOnDevice);

}  // namespace
}  // namespace cltrack
