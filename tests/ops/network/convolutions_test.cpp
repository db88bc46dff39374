// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/network/convolutions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <vector>

#include "ops/network/activation.h"
#include "ops/network/gates.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/layer_shapes.h"

namespace cltrack {
namespace {

using test::expect_same;
using test::layer_shape;
using test::random_floats;
using Floats = std::vector<float>;
using Plain = void (*)(const LayerShape&, std::span<const float>, std::span<const float>,
                       std::span<float>);

Floats result_of(Plain op, const LayerShape& shape, const Floats& weights, const Floats& input) {
  Floats output(map_values(shape.made, shape.pitch));
  op(shape, weights, input, output);
  return output;
}

TEST(Activation, IsWhatItsNameSays) {
  const auto all = [](Activation activation) {
    Floats values;
    for (const float x : {-4.0f, -1.5f, 0.0f, 1.5f, 3.0f, 9.0f}) {
      values.push_back(activate(x, activation));
    }
    return values;
  };
  EXPECT_EQ(all(Activation::none), (Floats{-4, -1.5f, 0, 1.5f, 3, 9}));
  EXPECT_EQ(all(Activation::relu), (Floats{0, 0, 0, 1.5f, 3, 9}));
  EXPECT_EQ(all(Activation::relu6), (Floats{0, 0, 0, 1.5f, 3, 6}));
  EXPECT_EQ(all(Activation::hard_sigmoid), (Floats{0, 0.25f, 0.5f, 0.75f, 1, 1}));
  EXPECT_EQ(all(Activation::hard_swish), (Floats{0, -0.375f, 0, 1.125f, 3, 9}));
}

TEST(Activation, ExponentialsAreThoseOfTheLibrary) {
  for (float x = -86; x < 88; x += 0.37f) {
    const double expected = std::exp(static_cast<double>(x));
    EXPECT_NEAR(activate(x, Activation::exp), expected, 2e-7 * expected) << x;
    EXPECT_NEAR(activate(x, Activation::sigmoid), expected / (1 + expected), 2e-7) << x;
  }
  EXPECT_EQ(network_exp(0), 1);
  EXPECT_EQ(network_exp(1000), network_exp(88));
  EXPECT_EQ(network_exp(-1000), network_exp(-87));
  EXPECT_EQ(network_exp(std::numeric_limits<float>::quiet_NaN()), network_exp(88));
}

// 2 channels of 2 x 2 places to 3.
TEST(Pointwise, IsAProductOfMatrices) {
  const Floats weights = {1, 10, 100, 0, 0, 0, 0, 0, 2, 20, 200, 0, 0, 0, 0, 0, 5, 6, 7};
  LayerShape shape = layer_shape(2, 2, 3);
  shape.bias = 16;
  const Floats input = {1, 1, 0, 1, 1, 0, 2, -1};
  EXPECT_EQ(result_of(reference::pointwise, shape, weights, input),
            (Floats{8, 36, 307, 7, 26, 207, 6, 16, 107, 5, 6, 7}));
  shape.bias = -1;
  EXPECT_EQ(result_of(reference::pointwise, shape, weights, input),
            (Floats{3, 30, 300, 2, 20, 200, 1, 10, 100, 0, 0, 0}));
  shape.transposed = 1;
  EXPECT_EQ(result_of(reference::pointwise, shape, weights, input),
            (Floats{3, 2, 1, 0, 30, 20, 10, 0, 300, 200, 100, 0}));
}

TEST(Pointwise, WritesItsChannelsAlone) {
  const Floats weights = {1, 10, 0, 0, 0, 0, 0, 0};
  LayerShape shape = layer_shape(2, 1, 2);
  shape.bias = -1;
  shape.pitch = 4;
  shape.first = 1;
  shape.adds = 1;
  Floats output(16, 0.5f);
  reference::pointwise(shape, weights, Floats{1, 2, 3, 4}, output);
  EXPECT_EQ(output, (Floats{0.5f, 1.5f, 10.5f, 0.5f, 0.5f, 2.5f, 20.5f, 0.5f, 0.5f, 3.5f, 30.5f,
                            0.5f, 0.5f, 4.5f, 40.5f, 0.5f}));
}

// Each place of the kernel counts by another power of ten.
TEST(Depthwise, KernelsReachBeyondBorders) {
  const Floats weights = {1, 10, 100, 1000, 10000, 1e5f, 1e6f, 1e7f, 1e8f, 0.5f};
  LayerShape shape = layer_shape(3, 1, 1, {.kernel = 3, .stride = 2, .pad = 1});
  shape.bias = 9;
  const Floats input = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  ASSERT_EQ(shape.made, 2);
  EXPECT_EQ(result_of(reference::depthwise, shape, weights, input),
            (Floats{5e8f + 4e7f + 2e5f + 1e4f + 0.5f, 6e7f + 5e6f + 3e4f + 2e3f + 0.5f,
                    8e5f + 7e4f + 5e2f + 4e1f + 0.5f, 9e4f + 8e3f + 6e1f + 5 + 0.5f}));
}

TEST(Depthwise, CutsOutTheMiddle) {
  LayerShape shape = layer_shape(4, 2, 2, {.kernel = 1, .stride = 1, .pad = -1});
  shape.bias = -1;
  Floats input(32);
  for (std::size_t i = 0; i < input.size(); ++i) input[i] = static_cast<float>(i);
  EXPECT_EQ(result_of(reference::depthwise, shape, {1, 1}, input),
            (Floats{10, 11, 12, 13, 18, 19, 20, 21}));
}

// Two channels, of which a kernel of 2 x 2 takes both.
TEST(Convolution, AddsUpAllChannels) {
  Floats weights(8 * 8 + 8);
  for (std::size_t i = 0; i < 8; ++i) weights[i * 8] = static_cast<float>(i + 1);
  weights[64] = -1;
  LayerShape shape = layer_shape(2, 2, 1, {.kernel = 2, .stride = 1, .pad = 0});
  shape.bias = 64;
  ASSERT_EQ(shape.made, 1);
  EXPECT_EQ(result_of(reference::convolution, shape, weights, {1, 2, 3, 4, 5, 6, 7, 8}),
            Floats{1 + 4 + 9 + 16 + 25 + 36 + 49 + 64 - 1});
}

// 2^24 + 1 is no float: which sums come first shows.
TEST(Pointwise, AddsUpChannelAfterChannel) {
  LayerShape shape = layer_shape(1, 3, 1);
  shape.bias = 24;
  Floats weights(25);
  weights[0] = weights[8] = weights[16] = 1;
  weights[24] = 1;
  EXPECT_EQ(result_of(reference::pointwise, shape, weights, {16777216, 1, 1}), Floats{16777216});
  EXPECT_EQ(result_of(reference::pointwise, shape, weights, {1, 16777216, 1}), Floats{16777220});
}

using Vector = void (*)(const LayerShape&, std::span<const float>, std::span<const float>, int, int,
                        std::span<float>);

// In one part, and in uneven ones.
void expect_vector(Vector op, Plain plain, const LayerShape& shape, int parts,
                   const Floats& weights, const Floats& input) {
  Floats before = random_floats(map_values(shape.made, shape.pitch), -1, 1, 9), expected = before;
  plain(shape, weights, input, expected);
  for (const int most : {parts, 1, 7}) {
    Floats output = before;
    for (int first = 0; first < parts; first += most) {
      op(shape, weights, input, first, std::min(parts, first + most), output);
    }
    expect_same<float>(output, expected);
  }
}

TEST(NetworkVectorBodies, EqualThePlainOnes) {
  for (const test::LayerCase& each : test::layer_cases(test::LayerCases::all)) {
    SCOPED_TRACE(testing::PrintToString(each));
    const LayerShape& shape = each.shape;
    const Floats weights = test::layer_weights(each, 1);
    for (const Floats& input : test::layer_inputs(shape)) {
      switch (each.kind) {
        case test::LayerCase::convolution:
          expect_vector(vector::convolution, reference::convolution, shape, shape.made, weights,
                        input);
          break;
        case test::LayerCase::depthwise:
          expect_vector(vector::depthwise, reference::depthwise, shape, shape.made, weights, input);
          break;
        case test::LayerCase::pointwise:
          expect_vector(vector::pointwise, reference::pointwise, shape, shape.made * shape.made,
                        weights, input);
          break;
      }
    }
  }
}

class ConvolutionsOnDevice : public test::DeviceTest {
 protected:
  // Of three targets, with kernels of a slot each, or the same weights for all.
  void check(const test::LayerCase& each, bool has_slots) {
    const std::vector<std::int32_t> slots = {2, 0, 1};
    LayerShape shape = each.shape;
    Floats weights;
    for (std::uint64_t seed = 0; seed < (has_slots ? 3 : 1); ++seed) {
      const Floats more = test::layer_weights(each, seed);
      weights.insert(weights.end(), more.begin(), more.end());
      if (has_slots) shape.slot_values = static_cast<int>(more.size());
    }
    const std::vector<Floats> inputs = test::layer_inputs(shape);
    const std::size_t written = map_values(shape.made, shape.pitch);
    Floats all, before = random_floats(3 * written, -1, 1, 8), expected = before;
    constexpr Plain kPlain[] = {reference::convolution, reference::depthwise, reference::pointwise};
    for (std::size_t i = 0; i < 3; ++i) {
      all.insert(all.end(), inputs[i].begin(), inputs[i].end());
      const std::size_t skipped = static_cast<std::size_t>(slots[i] * shape.slot_values);
      kPlain[each.kind](shape, std::span(weights).subspan(skipped), inputs[i],
                        std::span(expected).subspan(i * written, written));
    }
    const Array<float> by(weights), from(all);
    const Array<std::int32_t> of(slots);
    test::check_op(
        *queue_, 1,
        [&](Array<float>& output) {
          if (each.kind == test::LayerCase::convolution) {
            convolution(*queue_, shape, 3, by, from, output);
          } else if (each.kind == test::LayerCase::depthwise) {
            depthwise(*queue_, shape, of, by, from, output);
          } else {
            pointwise(*queue_, shape, of, by, from, output);
          }
        },
        test::Output{expected, shape.adds || shape.outputs != shape.pitch ? before : Floats()});
  }
};

TEST_P(ConvolutionsOnDevice, EqualPlainBodies) {
  for (const test::LayerCase& each : test::layer_cases(test::LayerCases::few)) {
    SCOPED_TRACE(testing::PrintToString(each));
    check(each, false);
    if (each.kind != test::LayerCase::convolution) check(each, true);
  }
}

// As scale() and the layer after it.
TEST_P(ConvolutionsOnDevice, ScaleWhatTheyRead) {
  const std::vector<std::int32_t> slots = {2, 0, 1};
  for (const test::LayerCase& each : test::layer_cases(test::LayerCases::few)) {
    if (each.kind == test::LayerCase::convolution) continue;
    SCOPED_TRACE(testing::PrintToString(each));
    const bool is_depthwise = each.kind == test::LayerCase::depthwise;
    LayerShape shape = each.shape;
    shape.scaling = shape.inputs % 5;
    LayerShape scaling = shape;
    scaling.outputs = shape.inputs;
    scaling.activation = shape.scaling;
    const Floats weights = test::layer_weights(each, 1);
    const auto channels = static_cast<std::size_t>(shape.inputs);
    const Floats factors = random_floats(3 * channels, -2, 2, 5);
    const std::vector<Floats> inputs = test::layer_inputs(shape);
    const std::size_t written = map_values(shape.made, shape.pitch);
    Floats all, before = random_floats(3 * written, -1, 1, 8), expected = before;
    for (std::size_t i = 0; i < 3; ++i) {
      all.insert(all.end(), inputs[i].begin(), inputs[i].end());
      Floats scaled = inputs[i];
      reference::scale(scaling, std::span(factors).subspan(i * channels, channels), scaled);
      (is_depthwise ? reference::depthwise : reference::pointwise)(
          shape, weights, scaled, std::span(expected).subspan(i * written, written));
    }
    const Array<float> by(weights), gates(factors);
    const Array<std::int32_t> of(slots);
    test::check_op(
        *queue_, 1,
        [&](Array<float>& output) {
          Array<float> from(all);
          (is_depthwise ? scaled_depthwise : scaled_pointwise)(*queue_, shape, of, by, gates, from,
                                                               output);
        },
        test::Output{expected, shape.adds || shape.outputs != shape.pitch ? before : Floats()});
  }
}

TEST_P(ConvolutionsOnDevice, RejectArraysThatAreTooSmall) {
  const LayerShape shape = test::layer_shape(5, 3, 4, {3, 1, 1});
  LayerShape sum = test::layer_shape(5, 3, 4);
  sum.adds = 1;
  const Array<float> weights(27 * 8), small(27 * 8 - 1), input(2 * 75), other(75);
  const Array<std::int32_t> slots(2);
  Array<float> output;
  test::expect_rejected([&] { convolution(*queue_, shape, 2, small, input, output); },
                        {"convolution", "215 weights", "216 or more"});
  test::expect_rejected([&] { convolution(*queue_, shape, 2, weights, other, output); });
  test::expect_rejected([&] { depthwise(*queue_, shape, slots, weights, other, output); });
  test::expect_rejected([&] { pointwise(*queue_, sum, slots, weights, input, output); });
  Array<float> one(2 * 75);
  const Array<float> gates(5);
  test::expect_rejected(
      [&] { scaled_pointwise(*queue_, shape, slots, weights, gates, one, output); });
  test::expect_rejected(
      [&] { scaled_depthwise(*queue_, shape, slots, weights, gates, one, output); });
  convolution(*queue_, shape, 0, weights, Array<float>(), output);
  EXPECT_EQ(output.size(), 0u);
}

CLTRACK_ON_EVERY_DEVICE(ConvolutionsOnDevice);

}  // namespace
}  // namespace cltrack
