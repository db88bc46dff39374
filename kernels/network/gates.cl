// SPDX-License-Identifier: LGPL-2.1-or-later
// Squeeze and excitation, see lib/ops/network/gates.h: a work-group makes the gates of a target, a
// work-item of the second kernel a value of a map; dimension 1 of both launches is the target. A
// group waits for what it reads: many values are on their way at a time.
#include "parts/activation.cl"

#define BLOCK 48  // weights

// Adds the products of `count` values and weights, which lie `step` apart, in their order.
float add_products(float sum, int count, local const float* values, global const float* weights,
                   int step) {
  for (int first = 0; first < count; first += BLOCK) {
    float by[BLOCK];
#pragma unroll
    for (int i = 0; i < BLOCK; ++i) by[i] = weights[min(first + i, count - 1) * step];
#pragma unroll
    for (int i = 0; i < BLOCK; ++i) {
      if (first + i < count) sum += values[first + i] * by[i];
    }
  }
  return sum;
}

// `rows`: inputs * side values, then as many as there are hidden ones.
kernel void gates(struct LayerShape shape, global const float* weights, global const float* map,
                  global float* made, local float* rows) {
  const size_t target = get_group_id(1);
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int inputs = shape.inputs;
  const int side = shape.side;
  local float* between = rows + side * inputs;
  map += target * side * side * inputs;
  const int fours = inputs % 4 == 0 && is_aligned(map) ? inputs / 4 : 0;
  for (int i = item; i < side * fours; i += items) {
    global const float4* from = (global const float4*)map + i / fours * side * fours + i % fours;
    float4 sum = 0;
#pragma unroll 16
    for (int x = 0; x < side; ++x) sum += from[x * fours];
    vstore4(sum, i, rows);
  }
  for (int i = item; i < side * inputs && fours == 0; i += items) {
    global const float* from = map + i / inputs * side * inputs + i % inputs;
    float sum = 0;
#pragma unroll 16
    for (int x = 0; x < side; ++x) sum += from[x * inputs];
    rows[i] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = item; c < inputs; c += items) {
    float sum = 0;
#pragma unroll 16
    for (int y = 0; y < side; ++y) sum += rows[y * inputs + c];
    rows[c] = sum / (float)(side * side);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < shape.hidden; k += items) {
    const float sum = add_products(weights[shape.bias + k], inputs, rows,
                                   weights + shape.weights + k, weight_row(shape.hidden));
    between[k] = activate(sum, CLTRACK_ACTIVATION_RELU);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = item; c < inputs; c += items) {
    const float sum = add_products(weights[shape.second_bias + c], shape.hidden, between,
                                   weights + shape.second_weights + c, weight_row(inputs));
    made[target * inputs + c] = activate(sum, shape.activation);
  }
}

kernel void scale(struct LayerShape shape, global const float* made, global float* map) {
  const int values = shape.side * shape.side * shape.outputs;
  const int item = get_global_id(0);
  if (item >= values) return;
  const size_t target = get_global_id(1);
  global float* at = map + target * values + item;
  *at = activate(*at * made[target * shape.outputs + item % shape.outputs], shape.activation);
}
