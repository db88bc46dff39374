// SPDX-License-Identifier: LGPL-2.1-or-later
// Models of Siamese networks in files, as tools/convert_network.py writes them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/network/activation.h"
#include "ops/network/convolutions.h"

namespace cltrack {

// Tensors are maps as in ops/network/convolutions.h, and so are weights.

enum class LayerKind {
  // A square kernel over all channels: weights are rows of outputs for each input of the kernel,
  // row by row, channels last; then the bias, a row.
  convolution,
  // A kernel for each channel: rows of channels for each place of the kernel, without padding.
  depthwise,
  // A convolution of 1 x 1: a row of outputs for each channel.
  pointwise,
  // Squeeze and excitation (Hu et al., CVPR 2018): the means of the channels through two matrices,
  // with ReLU between them. Both matrices are as of a pointwise convolution.
  gates,
  // Multiplies the channels of `output` by the gates that are `input`.
  scale,
};

struct NetworkLayer {
  LayerKind kind = LayerKind::pointwise;
  Activation activation = Activation::none;
  int input = 0;   // tensor
  int output = 0;  // tensor
  // Of the output, those that the layer makes.
  int first_channel = 0;
  int channels = 0;
  bool adds = false;        // to what is there
  bool transposed = false;  // a row of places for each channel
  // The tensor of the template that is the weights, without bias: the whole map as a kernel, or
  // transposed for a pointwise convolution.
  std::optional<int> kernels = {};
  int kernel = 1;  // side
  int stride = 1;
  int pad = 0;     // places beyond each border that a kernel reaches; less than 0: away from it
  int hidden = 0;  // means between the matrices of gates
  // Where they begin among the weights; the second ones are those of gates.
  std::size_t weights = 0, bias = 0, second_weights = 0, second_bias = 0;

  friend bool operator==(const NetworkLayer&, const NetworkLayer&) = default;
};

struct NetworkModel {
  std::string name;
  int template_side = 0;  // pixels of the picture of the template, and of the search window
  int search_side = 0;
  int stride = 0;                      // pixels between the places of the answer
  std::array<float, 3> mean = {};      // of blue, green, red, subtracted from pixels
  std::vector<int> channels;           // of each tensor; tensor 0 is the picture
  std::vector<NetworkLayer> backbone;  // of template and search window
  std::vector<NetworkLayer> of_template;
  std::vector<NetworkLayer> of_search;
  int features = 0;  // tensors: what the backbone makes,
  int scores = 0;    // how much a place is background, how much the target,
  int boxes = 0;     // and how far left, top, right, bottom are from it, in pixels
  std::vector<float> weights;

  // Reads what the tool has written. Throws Error{invalid_argument} for everything else; the
  // message says what is wrong. Every layer of a model that is returned can run.
  static NetworkModel parse(std::string_view bytes);
};

// Of a tensor when layers have run.
struct TensorShape {
  int side = 0;             // places; 0 if the layers do not make it
  bool transposed = false;  // rows of places and not of channels
};

// The shapes of all tensors when the layers of these parts have run, one after the other, for a
// picture of this side. `of_template`: what the template's have made; empty for these themselves.
// Throws Error{invalid_argument} if a layer does not fit what comes before it.
using NetworkParts = std::array<std::span<const NetworkLayer>, 2>;
std::vector<TensorShape> tensor_shapes(const NetworkModel& model, const NetworkParts& parts,
                                       int side, std::span<const TensorShape> of_template);

// The parts of the model that run for a template, and for a search window.
NetworkParts template_parts(const NetworkModel& model);
NetworkParts search_parts(const NetworkModel& model);

}  // namespace cltrack
