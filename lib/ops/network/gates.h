// SPDX-License-Identifier: LGPL-2.1-or-later
// Squeeze and excitation (Hu, Shen, Sun, "Squeeze-and-Excitation Networks", CVPR 2018): gates of
// the channels of a map, and the map times its gates. Sums add up in float in a fixed order: every
// device makes the same bits.
#pragma once

#include <cstddef>
#include <span>

#include "compute/array.h"
#include "compute/queue.h"
#include "kernels/network_types.h"

namespace cltrack {

// The means of `inputs` channels, by a matrix to `hidden` values, ReLU, and by a second matrix to a
// gate for each channel, with the shape's activation. A mean is the sum of the rows' sums, each
// from left to right, divided by the number of places. Matrices and biases are as of pointwise().

namespace reference {
// One target's: map_values(side, inputs) of `map`, `inputs` gates.
void gates(const LayerShape& shape, std::span<const float> weights, std::span<const float> map,
           std::span<float> gates);
// Multiplies the channels of `map`, `outputs` a place of side * side, by their gates; then the
// shape's activation, which is none or one of those without e^x.
void scale(const LayerShape& shape, std::span<const float> gates, std::span<float> map);
}  // namespace reference

namespace vector {
void gates(const LayerShape& shape, std::span<const float> weights, std::span<const float> map,
           std::span<float> gates);
void scale(const LayerShape& shape, std::span<const float> gates, std::span<float> map);
}  // namespace vector

// Work-groups keep a row's sum of each channel in their memory, and what is hidden: at most so
// many.
inline constexpr int kMostGateValues = 8000;
constexpr int gate_values(int side, int channels, int hidden) { return side * channels + hidden; }

// Of all targets, one behind the other. gates() resizes `gates`. Do not wait. Throw Error;
// Error{invalid_argument} if an array is too small for that, or there are more than
// kMostGateValues.
void gates(Queue& queue, const LayerShape& shape, std::size_t targets, const Array<float>& weights,
           const Array<float>& map, Array<float>& gates);
void scale(Queue& queue, const LayerShape& shape, std::size_t targets, const Array<float>& gates,
           Array<float>& map);

}  // namespace cltrack
