// SPDX-License-Identifier: LGPL-2.1-or-later
// Kernels over all channels, see lib/ops/network/convolutions.h: a work-item makes 4 outputs of a
// place, dimension 1 of the launch is the target.
#include "parts/activation.cl"

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
  const int row = weight_row(shape.outputs);
  float4 sums = shape.bias < 0 ? (float4)(0) : vload4(0, weights + shape.bias + channel);
  weights += shape.weights + channel;
  const int first = max(0, -left);
  const int values = (min(shape.kernel_side, shape.side - left) - first) * shape.inputs;
  for (int ky = max(0, -top); ky < min(shape.kernel_side, shape.side - top); ++ky) {
    global const float* from = input + ((top + ky) * shape.side + left + first) * shape.inputs;
    global const float* by = weights + (ky * shape.kernel_side + first) * shape.inputs * row;
    for (int i = 0; i < values; ++i, by += row) sums += from[i] * vload4(0, by);
  }
  const float made[4] = {sums.x, sums.y, sums.z, sums.w};
  for (int k = 0; k < 4 && channel + k < shape.outputs; ++k) {
    put(shape, place, channel + k, made[k], output);
  }
}
