// SPDX-License-Identifier: LGPL-2.1-or-later
// The convolutions of a network. A map has the values of a place, one for each channel, side by
// side, and places row by row. Each sum begins with the bias (or 0), and adds up in float, kernel
// row by row, channels last, what lies within the map: every device makes the same bits. Rows of
// weights have weight_row() entries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/network_types.h"

namespace cltrack {

inline constexpr int kWeightLanes = CLTRACK_WEIGHT_LANES;
constexpr std::size_t weight_row(int outputs) {
  return static_cast<std::size_t>((outputs + kWeightLanes - 1) / kWeightLanes * kWeightLanes);
}

// Of a map of side * side places.
constexpr std::size_t map_values(int side, int channels) {
  return static_cast<std::size_t>(side) * static_cast<std::size_t>(side) *
         static_cast<std::size_t>(channels);
}

// All kernels over all channels. Weights: a row of outputs for each place of the kernel and
// channel. A map of the whole output, no parts of it.
//
// A kernel for each channel. Weights: `outputs` for each place of the kernel.
//
// Kernels of 1 x 1, a product of matrices. Weights: a row of outputs for each channel.

namespace reference {
// One target's: map_values(side, inputs) of `input`, map_values(made, pitch) of `output`. `weights`
// has those of the layer from shape.weights on; of the right slot, where there are slots.
void convolution(const LayerShape& shape, std::span<const float> weights,
                 std::span<const float> input, std::span<float> output);
void depthwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, std::span<float> output);
void pointwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, std::span<float> output);
}  // namespace reference

namespace vector {
// Rows [first, end) of the output of convolution() and depthwise(), places of pointwise().
void convolution(const LayerShape& shape, std::span<const float> weights,
                 std::span<const float> input, int first, int end, std::span<float> output);
void depthwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, int first, int end, std::span<float> output);
void pointwise(const LayerShape& shape, std::span<const float> weights,
               std::span<const float> input, int first, int end, std::span<float> output);
}  // namespace vector

// Of all targets, one behind the other, `slots.size()` of them: where the weights are kernels of
// templates, target i's begin slots[i] * shape.slot_values further. Resizes `output`, unless the
// layer makes other channels than the first ones, or adds. Does not wait. Throws Error;
// Error{invalid_argument} if an array is too small for that.
void convolution(Queue& queue, const LayerShape& shape, std::size_t targets,
                 const Array<float>& weights, const Array<float>& input, Array<float>& output);
void depthwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
               const Array<float>& weights, const Array<float>& input, Array<float>& output);
void pointwise(Queue& queue, const LayerShape& shape, const Array<std::int32_t>& slots,
               const Array<float>& weights, const Array<float>& input, Array<float>& output);

// scale() of gates.h with the activation shape.scaling, and then depthwise() or pointwise(), as one
// launch. What is in `input` afterwards is not specified.
void scaled_depthwise(Queue& queue, LayerShape shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates, Array<float>& input,
                      Array<float>& output);
void scaled_pointwise(Queue& queue, LayerShape shape, const Array<std::int32_t>& slots,
                      const Array<float>& weights, const Array<float>& gates, Array<float>& input,
                      Array<float>& output);

}  // namespace cltrack
