// SPDX-License-Identifier: LGPL-2.1-or-later
// A kernel for each channel, see lib/ops/network/convolutions.h: a work-item makes 4 channels of a
// place, dimension 1 of the launch is the target.
#include "parts/activation.cl"

#define MOST_TAPS 5  // of a row that are loaded at a time

// The sums of `count` channels, with which `input`, `weights` and `gates` begin. `taps` of a row
// are loaded at a time, also those that lie beyond the map, so that none waits for another one:
// these repeat the last one, and are left out of the sums. Each set of constants that is handed in
// makes loops of its own.
float4 filter4(struct LayerShape shape, int left, int top, int count, float4 sums,
               global const float* input, global const float* weights, float4 gates, bool scaled,
               bool aligned, int taps) {
  const int last = min(shape.kernel_side, shape.side - left) - 1;
  const int first = min(max(0, -left), last);
  for (int ky = max(0, -top); ky < min(shape.kernel_side, shape.side - top); ++ky) {
    global const float* from = input + ((top + ky) * shape.side + left) * shape.inputs;
    global const float* by = weights + ky * shape.kernel_side * shape.outputs;
    for (int begin = 0; begin <= last; begin += taps) {
      float4 values[MOST_TAPS], own[MOST_TAPS];
#pragma unroll
      for (int i = 0; i < taps; ++i) {
        const int kx = clamp(begin + i, first, last);
        values[i] = load4(from + kx * shape.inputs, count, aligned);
        own[i] = load4(by + kx * shape.outputs, count, aligned);
      }
#pragma unroll
      for (int i = 0; i < taps; ++i) {
        if (scaled) values[i] = activate4(values[i] * gates, shape.scaling);
        if (begin + i >= -left && begin + i <= last) sums += values[i] * own[i];
      }
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
    sums = filter4(shape, left, top, count, bias, input, weights, own, true, false, 2);
  } else if (!aligned) {
    sums = filter4(shape, left, top, count, bias, input, weights, (float4)(0), false, false, 2);
  } else if (shape.kernel_side <= 3) {
    sums = filter4(shape, left, top, 4, bias, input, weights, (float4)(0), false, true, 3);
  } else {
    sums = filter4(shape, left, top, 4, bias, input, weights, (float4)(0), false, true, MOST_TAPS);
  }
  put4(shape, place, channel, sums, output);
}
