// SPDX-License-Identifier: LGPL-2.1-or-later
// A kernel for each channel, see lib/ops/network/convolutions.h: a work-item makes a value,
// dimension 1 of the launch is the target.
#include "parts/activation.cl"

kernel void depthwise(struct LayerShape shape, global const int* slots, global const float* weights,
                      global const float* input, global float* output) {
  const int item = get_global_id(0);
  const int place = item / shape.outputs;
  const int channel = item % shape.outputs;
  if (place >= shape.made * shape.made) return;
  const size_t target = get_global_id(1);
  if (shape.slot_values > 0) weights += (size_t)slots[target] * shape.slot_values;
  input += target * shape.side * shape.side * shape.inputs + channel;
  output += target * shape.made * shape.made * shape.pitch;
  const int left = place % shape.made * shape.stride - shape.pad;
  const int top = place / shape.made * shape.stride - shape.pad;
  float sum = shape.bias < 0 ? 0 : weights[shape.bias + channel];
  weights += shape.weights + channel;
  for (int ky = max(0, -top); ky < min(shape.kernel_side, shape.side - top); ++ky) {
    for (int kx = max(0, -left); kx < min(shape.kernel_side, shape.side - left); ++kx) {
      sum += input[((top + ky) * shape.side + left + kx) * shape.inputs] *
             weights[(ky * shape.kernel_side + kx) * shape.outputs];
    }
  }
  put(shape, place, channel, sum, output);
}
