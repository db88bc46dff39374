// SPDX-License-Identifier: LGPL-2.1-or-later
#include "network/siamese_network.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <thread>
#include <vector>

#include "network/shared_weights.h"
#include "ops/network/activation.h"
#include "ops/network/gates.h"
#include "support/check_op.h"
#include "support/devices.h"
#include "support/errors.h"
#include "support/random_network.h"

namespace cltrack {
namespace {

using test::expect_rejected;
using test::expect_same;
using test::part_of;
using test::random_floats;
using Floats = std::vector<float>;

constexpr int kTargets = 3;

const std::shared_ptr<const NetworkModel>& model() {
  static const auto random = std::make_shared<const NetworkModel>(
      NetworkModel::parse(test::RandomNetwork::make(1).bytes()));
  return random;
}

Floats pictures(int side, std::uint64_t seed) {
  return random_floats(kTargets * map_values(side, 3), 0, 255, seed);
}

// Layer by layer, each tensor in memory of its own, by the plain bodies.
struct PlainRun {
  const NetworkModel& net = *model();
  std::map<int, Floats> tensors = {};
  std::map<int, int> sides = {};

  PlainRun(std::span<const float> picture, int side, const PlainRun* of_template) {
    tensors[0].assign(picture.begin(), picture.end());
    sides[0] = side;
    for (const auto layers : of_template ? search_parts(net) : template_parts(net)) {
      for (const NetworkLayer& layer : layers) add(layer, of_template);
    }
  }

  int channels(int tensor) const { return net.channels[static_cast<std::size_t>(tensor)]; }

  void add(const NetworkLayer& layer, const PlainRun* of_template) {
    LayerShape shape = {};
    shape.side = sides.at(layer.input);
    shape.inputs = channels(layer.input);
    shape.outputs = layer.channels;
    shape.pitch = channels(layer.output);
    shape.first = layer.first_channel;
    shape.kernel_side = layer.kernel;
    shape.stride = layer.stride;
    shape.pad = layer.pad;
    shape.made = (shape.side + 2 * layer.pad - layer.kernel) / layer.stride + 1;
    shape.activation = static_cast<int>(layer.activation);
    shape.adds = layer.adds;
    shape.transposed = layer.transposed;
    shape.hidden = layer.hidden;
    shape.weights = static_cast<int>(layer.weights);
    shape.bias = layer.kernels ? -1 : static_cast<int>(layer.bias);
    shape.second_weights = static_cast<int>(layer.second_weights);
    shape.second_bias = static_cast<int>(layer.second_bias);
    const Floats& weights = layer.kernels ? of_template->tensors.at(*layer.kernels) : net.weights;
    Floats& output = tensors[layer.output];
    if (layer.kind == LayerKind::gates) shape.made = 1;
    if (layer.kind == LayerKind::scale) {
      shape.side = sides.at(layer.output);
      reference::scale(shape, tensors.at(layer.input), output);
      return;
    }
    sides[layer.output] = shape.made;
    output.resize(map_values(shape.made, shape.pitch));
    const Floats& input = tensors.at(layer.input);
    if (layer.kind == LayerKind::gates) reference::gates(shape, weights, input, output);
    if (layer.kind == LayerKind::convolution) reference::convolution(shape, weights, input, output);
    if (layer.kind == LayerKind::depthwise) reference::depthwise(shape, weights, input, output);
    if (layer.kind == LayerKind::pointwise) reference::pointwise(shape, weights, input, output);
  }
};

class SiameseNetworkOnDevice : public test::DeviceTest {
 protected:
  SiameseNetwork network_{model()};
  const Floats of_templates_ = pictures(31, 2), windows_ = pictures(63, 3);
  const std::vector<std::int32_t> slots_ = {1, 2, 0};

  NetworkAnswers search(const Floats& windows, const Floats& templates,
                        const std::vector<std::int32_t>& slots) {
    NetworkAnswers answers;
    network_.search(*queue_, Array<float>(windows), Array<float>(templates),
                    Array<std::int32_t>(slots), answers);
    answers.scores.fetch();
    answers.boxes.fetch();
    queue_->finish();
    return answers;
  }
};

TEST_P(SiameseNetworkOnDevice, EqualsItsLayersOneByOne) {
  const Floats templates = network_.make_templates(*queue_, Array<float>(of_templates_));
  ASSERT_EQ(templates.size(), kTargets * network_.template_values());
  std::vector<PlainRun> plain;
  for (int i = 0; i < kTargets; ++i) {
    plain.emplace_back(part_of(of_templates_, i, network_.template_pixels()), 31, nullptr);
    Floats expected;
    for (const int tensor : {*model()->of_search[1].kernels, *model()->of_search[7].kernels}) {
      const Floats& kernels = plain.back().tensors.at(tensor);
      expected.insert(expected.end(), kernels.begin(), kernels.end());
    }
    expect_same<float>(part_of(templates, i, network_.template_values()), expected);
  }
  // The second time, memory holds what the first one has left.
  search(pictures(63, 4), templates, {0, 0, 0});
  const NetworkAnswers answers = search(windows_, templates, slots_);
  const auto scores = answers.scores.host_read(), boxes = answers.boxes.host_read();
  ASSERT_EQ(scores.size(), 2u * 49 * kTargets);
  for (int i = 0; i < kTargets; ++i) {
    const PlainRun expected(part_of(windows_, i, network_.search_pixels()), 63,
                            &plain[static_cast<std::size_t>(slots_[static_cast<std::size_t>(i)])]);
    expect_same<float>(part_of(scores, i, 2 * 49), expected.tensors.at(model()->scores));
    expect_same<float>(part_of(boxes, i, 4 * 49), expected.tensors.at(model()->boxes));
  }
}

TEST_P(SiameseNetworkOnDevice, AnswersOfTargetsDoNotDependOnEachOther) {
  const Floats templates = network_.make_templates(*queue_, Array<float>(of_templates_));
  const NetworkAnswers all = search(windows_, templates, slots_);
  const auto scores = all.scores.host_read();
  for (int i = 0; i < kTargets; ++i) {
    const auto window = part_of(windows_, i, network_.search_pixels());
    const NetworkAnswers one =
        search({window.begin(), window.end()}, templates, {slots_[static_cast<std::size_t>(i)]});
    const auto expected = part_of(scores, i, 2 * 49);
    expect_same<float>(one.scores.host_read(), Floats(expected.begin(), expected.end()));
  }
  EXPECT_EQ(search({}, templates, {}).scores.size(), 0u);
  EXPECT_TRUE(network_.make_templates(*queue_, Array<float>()).empty());
}

// Streams whose models have been read from the same file, on threads of their own.
TEST_P(SiameseNetworkOnDevice, NetworksShareTheirWeights) {
  const Floats own = network_.make_templates(*queue_, Array<float>(of_templates_));
  const auto shared = shared_weights(model()->weights, *queue_);
  EXPECT_EQ(shared_weights(Floats(model()->weights), *queue_), shared);
  Floats others = model()->weights;
  others.back() += 1;
  EXPECT_NE(shared_weights(others, *queue_), shared);
  std::vector<Floats> made(3);
  {
    std::vector<std::jthread> threads;
    for (Floats& each : made) {
      threads.emplace_back([&, queue = queue_->device().make_queue()] {
        SiameseNetwork other(std::make_shared<const NetworkModel>(*model()));
        each = other.make_templates(*queue, Array<float>(of_templates_));
      });
    }
  }
  for (const Floats& each : made) expect_same<float>(each, own);
}

TEST_P(SiameseNetworkOnDevice, RejectsWhatIsNotWhole) {
  const Array<float> few(network_.template_pixels() + 1), window(network_.search_pixels());
  const Array<float> templates(network_.template_values()), part(network_.template_values() - 1);
  const Array<std::int32_t> slots(1), two(2);
  NetworkAnswers answers;
  expect_rejected([&] { network_.make_templates(*queue_, few); }, {"a template", "random"});
  expect_rejected([&] { network_.search(*queue_, window, templates, two, answers); });
  expect_rejected([&] { network_.search(*queue_, window, part, slots, answers); });
}

CLTRACK_ON_EVERY_DEVICE(SiameseNetworkOnDevice);

// Distances of a place to the left, top, right, bottom.
TEST(SiameseNetwork, PlacesAreFromTheMiddle) {
  const SiameseNetwork network(model());
  ASSERT_EQ(network.answer_side(), 7);
  Floats scores(2 * 49), boxes(4 * 49, 1);
  const std::size_t first = 0, middle = 24, last = 48;
  scores[2 * middle] = 1;
  scores[2 * middle + 1] = 3;
  std::ranges::copy(Floats{10, 20, 30, 5}, boxes.begin() + 4 * middle);
  boxes[4 * last + 2] = -2;
  const std::vector<NetworkPlace> places = network.places(scores, boxes);
  ASSERT_EQ(places.size(), 49u);
  EXPECT_EQ(places[middle].box, (BoundingBox{-10, -20, 40, 25}));
  EXPECT_NEAR(places[middle].score, 1 / (1 + std::exp(-2.0)), 1e-6);
  EXPECT_EQ(places[first].box, (BoundingBox{-25, -25, 2, 2}));
  EXPECT_EQ(places[first].score, 0.5f);
  EXPECT_EQ(places[last].box.x, 23);
  EXPECT_EQ(places[last].score, 0);  // its width is less than 0
}

TEST(SiameseNetwork, WhatIsNoNumberIsNowhere) {
  const SiameseNetwork network(model());
  Floats scores(2 * 49), boxes(4 * 49, 1);
  scores[1] = std::nanf("");
  boxes[5] = std::nanf("");
  const std::vector<NetworkPlace> places = network.places(scores, boxes);
  EXPECT_EQ(places[1].score, 0);
  EXPECT_LT(places[0].score, 1e-30f);
}

}  // namespace
}  // namespace cltrack
