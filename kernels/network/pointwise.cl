// SPDX-License-Identifier: LGPL-2.1-or-later
// A product of matrices, see lib/ops/network/convolutions.h: a work-item makes 4 outputs of 4
// places, dimension 1 of the launch is the target.
#include "parts/activation.cl"

#define SIDE 4

kernel void pointwise(struct LayerShape shape, global const int* slots, global const float* weights,
                      global const float* input, global float* output) {
  const int places = shape.made * shape.made;
  const int across = (shape.outputs + SIDE - 1) / SIDE;
  const int item = get_global_id(0);
  const int place = item / across * SIDE;
  const int channel = item % across * SIDE;
  if (place >= places) return;
  const size_t target = get_global_id(1);
  if (shape.slot_values > 0) weights += (size_t)slots[target] * shape.slot_values;
  input += (target * places + place) * shape.inputs;
  output += target * places * shape.pitch;
  float4 sums[SIDE];
  int from[SIDE];  // what lies beyond the last place is made of it, too
  for (int i = 0; i < SIDE; ++i) {
    sums[i] = shape.bias < 0 ? (float4)(0) : vload4(0, weights + shape.bias + channel);
    from[i] = min(i, places - 1 - place) * shape.inputs;
  }
  global const float* by = weights + shape.weights + channel;
  const int row = weight_row(shape.outputs);
  for (int c = 0; c < shape.inputs; ++c, by += row) {
    const float4 weight = vload4(0, by);
    for (int i = 0; i < SIDE; ++i) sums[i] += input[from[i] + c] * weight;
  }
  for (int i = 0; i < SIDE && place + i < places; ++i) {
    const float values[SIDE] = {sums[i].x, sums[i].y, sums[i].z, sums[i].w};
    for (int k = 0; k < SIDE && channel + k < shape.outputs; ++k) {
      put(shape, place + i, channel + k, values[k], output);
    }
  }
}
