// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels over all channels, see lib/ops/network/convolutions.h: a work-item makes 4 outputs of a
// place, dimension 1 of the launch is the target.
#include "parts/activation.cl"

// The sums, with which `weights` begin. Each constant that is handed in makes a loop of its own,
// whose loads do not wait for each other.
float4 convolve4(struct LayerShape shape, int left, int top, float4 sums, global const float* input,
                 global const float* weights, bool aligned) {
  const int row = weight_row(shape.outputs);
  const int first = max(0, -left);
  const int values = (min(shape.kernel_side, shape.side - left) - first) * shape.inputs;
  for (int ky = max(0, -top); ky < min(shape.kernel_side, shape.side - top); ++ky) {
    global const float* from = input + ((top + ky) * shape.side + left + first) * shape.inputs;
    global const float* by = weights + (ky * shape.kernel_side + first) * shape.inputs * row;
#pragma unroll 9
    for (int i = 0; i < values; ++i) sums += from[i] * load4(by + i * row, 4, aligned);
  }
  return sums;
}

kernel void convolution(struct LayerShape shape, global const float* weights,
                        global const float* input, global float* output) {
  const int across = (shape.outputs + 3) / 4;
  const int item = get_global_id(0);
  const int place = item / across;
  const int channel = item % across * 4;
  if (place >= shape.made * shape.made) return;
  const size_t target = get_global_id(1);
  input += target * shape.side * shape.side * shape.inputs;
  output += target * shape.made * shape.made * shape.pitch;
  const int left = place % shape.made * shape.stride - shape.pad;
  const int top = place / shape.made * shape.stride - shape.pad;
  const float4 bias = shape.bias < 0 ? (float4)(0) : vload4(0, weights + shape.bias + channel);
  weights += shape.weights + channel;
  const float4 sums = is_aligned(weights)
                          ? convolve4(shape, left, top, bias, input, weights, true)
                          : convolve4(shape, left, top, bias, input, weights, false);
  put4(shape, place, channel, sums, output);
}
