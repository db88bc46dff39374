// SPDX-License-Identifier: LGPL-2.1-or-later
// A kernel for each channel, see lib/ops/network/convolutions.h: a work-item makes 4 channels of a
// place, dimension 1 of the launch is the target.
#include "parts/activation.cl"

// The sums of `count` channels, with which `input`, `weights` and `gates` begin. Each set of
// constants that is handed in makes a loop of its own, whose loads do not wait for each other.
float4 filter4(struct LayerShape shape, int left, int top, int count, float4 sums,
               global const float* input, global const float* weights, float4 gates, bool scaled,
               bool aligned) {
  const int first = max(0, -left), end = min(shape.kernel_side, shape.side - left);
  for (int ky = max(0, -top); ky < min(shape.kernel_side, shape.side - top); ++ky) {
    global const float* from = input + ((top + ky) * shape.side + left) * shape.inputs;
    global const float* by = weights + ky * shape.kernel_side * shape.outputs;
#pragma unroll 5
    for (int kx = first; kx < end; ++kx) {
      float4 value = load4(from + kx * shape.inputs, count, aligned);
      if (scaled) value = activate4(value * gates, shape.scaling);
      sums += value * load4(by + kx * shape.outputs, count, aligned);
    }
  }
  return sums;
}

kernel void depthwise(struct LayerShape shape, global const int* slots, global const float* weights,
                      global const float* gates, global const float* input, global float* output) {
  const int across = (shape.outputs + 3) / 4;
  const int item = get_global_id(0);
  const int place = item / across;
  const int channel = item % across * 4;
  if (place >= shape.made * shape.made) return;
  const size_t target = get_global_id(1);
  if (shape.slot_values > 0) weights += (size_t)slots[target] * shape.slot_values;
  input += target * shape.side * shape.side * shape.inputs + channel;
  output += target * shape.made * shape.made * shape.pitch;
  const int left = place % shape.made * shape.stride - shape.pad;
  const int top = place / shape.made * shape.stride - shape.pad;
  const int count = min(4, shape.outputs - channel);
  const float4 bias =
      shape.bias < 0 ? (float4)(0) : load4(weights + shape.bias + channel, count, false);
  weights += shape.weights + channel;
  const bool aligned =
      shape.inputs % 4 == 0 && shape.outputs % 4 == 0 && is_aligned(input) && is_aligned(weights);
  float4 sums;
  if (shape.scaled) {
    const float4 own = load4(gates + target * shape.inputs + channel, count, false);
    sums = filter4(shape, left, top, count, bias, input, weights, own, true, false);
  } else if (aligned) {
    sums = filter4(shape, left, top, 4, bias, input, weights, (float4)(0), false, true);
  } else {
    sums = filter4(shape, left, top, count, bias, input, weights, (float4)(0), false, false);
  }
  put4(shape, place, channel, sums, output);
}
