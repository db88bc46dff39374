// SPDX-License-Identifier: LGPL-2.1-or-later
// A product of matrices, see lib/ops/network/convolutions.h. A work-item makes 4 outputs of 4
// places, a work-group 32 of 32: what its items share passes through local memory, 16 channels at a
// time. Dimension 2 of the launch is the target.
#include "parts/activation.cl"

#define ACROSS 8  // items of a work-group, in both directions
#define ITEMS (ACROSS * ACROSS)
#define TILE (4 * ACROSS)
#define DEPTH 16

kernel void pointwise(struct LayerShape shape, global const int* slots, global const float* weights,
                      global const float* input, global float* output) {
  local float4 values[TILE][DEPTH / 4 + 1];  // one more: rows begin in different banks
  local float4 rows[DEPTH][ACROSS];
  const int places = shape.made * shape.made;
  const int row = weight_row(shape.outputs);
  const int first_channel = get_group_id(0) * TILE, first_place = get_group_id(1) * TILE;
  const int across = get_local_id(0), down = get_local_id(1);
  const int item = down * ACROSS + across;
  const size_t target = get_global_id(2);
  if (shape.slot_values > 0) weights += (size_t)slots[target] * shape.slot_values;
  input += (target * places + first_place) * shape.inputs;
  output += target * places * shape.pitch;
  const int channel = first_channel + 4 * across;
  const bool has_bias = shape.bias >= 0 && channel < shape.outputs;
  const float4 bias = has_bias ? vload4(0, weights + shape.bias + channel) : (float4)(0);
  float4 sums[4] = {bias, bias, bias, bias};
  weights += shape.weights + first_channel;
  for (int begin = 0; begin < shape.inputs; begin += DEPTH) {
    const int depth = min(DEPTH, shape.inputs - begin);
    for (int i = item; i < TILE * DEPTH / 4; i += ITEMS) {
      const int place = i / (DEPTH / 4), c = i % (DEPTH / 4) * 4;
      if (first_place + place >= places || c >= depth) continue;
      global const float* from = input + place * shape.inputs + begin + c;
      values[place][c / 4] = c + 4 <= depth ? vload4(0, from)
                                            : (float4)(from[0], c + 1 < depth ? from[1] : 0,
                                                       c + 2 < depth ? from[2] : 0, 0);
    }
    for (int i = item; i < DEPTH * ACROSS; i += ITEMS) {
      const int c = i / ACROSS, k = i % ACROSS;
      if (c >= depth || first_channel + 4 * k >= row) continue;
      rows[c][k] = vload4(0, weights + (begin + c) * row + 4 * k);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int c = 0;
    for (; c + 4 <= depth; c += 4) {
      const float4 by[4] = {rows[c][across], rows[c + 1][across], rows[c + 2][across],
                            rows[c + 3][across]};
      for (int i = 0; i < 4; ++i) {
        const float4 value = values[4 * down + i][c / 4];
        sums[i] += value.x * by[0];
        sums[i] += value.y * by[1];
        sums[i] += value.z * by[2];
        sums[i] += value.w * by[3];
      }
    }
    for (; c < depth; ++c) {
      for (int i = 0; i < 4; ++i) {
        const float4 value = values[4 * down + i][c / 4];
        sums[i] += (c % 4 == 0 ? value.x : c % 4 == 1 ? value.y : value.z) * rows[c][across];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int i = 0; i < 4 && first_place + 4 * down + i < places; ++i) {
    const float made[4] = {sums[i].x, sums[i].y, sums[i].z, sums[i].w};
    for (int k = 0; k < 4 && channel + k < shape.outputs; ++k) {
      put(shape, first_place + 4 * down + i, channel + k, made[k], output);
    }
  }
}
