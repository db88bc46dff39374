// SPDX-License-Identifier: LGPL-2.1-or-later
// Squeeze and excitation, see lib/ops/network/gates.h: a work-group makes the gates of a target, a
// work-item of the second kernel a value of a map; dimension 1 of both launches is the target. A
// group waits for what it reads: loops are unrolled, so that many values are on their way.
#include "parts/activation.cl"

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
  for (int i = item; i < side * inputs; i += items) {
    global const float* from = map + i / inputs * side * inputs + i % inputs;
    float sum = 0;
#pragma unroll 16
    for (int x = 0; x < side; ++x) sum += from[x * inputs];
    rows[i] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = item; c < inputs; c += items) {
    float sum = 0;
    for (int y = 0; y < side; ++y) sum += rows[y * inputs + c];
    rows[c] = sum / (float)(side * side);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < shape.hidden; k += items) {
    global const float* by = weights + shape.weights + k;
    float sum = weights[shape.bias + k];
#pragma unroll 16
    for (int c = 0; c < inputs; ++c) sum += rows[c] * by[c * weight_row(shape.hidden)];
    between[k] = activate(sum, CLTRACK_ACTIVATION_RELU);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int c = item; c < inputs; c += items) {
    global const float* by = weights + shape.second_weights + c;
    float sum = weights[shape.second_bias + c];
#pragma unroll 16
    for (int k = 0; k < shape.hidden; ++k) sum += between[k] * by[k * weight_row(inputs)];
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
