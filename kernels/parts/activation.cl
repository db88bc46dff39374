// SPDX-License-Identifier: LGPL-2.1-or-later
// What a layer of a network does to its sums, see lib/ops/network/activation.h.
#include "network_types.h"

constant float exp_polynomial[] = CLTRACK_EXP_POLYNOMIAL;

float network_exp(float x) {
  x = x < CLTRACK_EXP_HIGHEST ? x : CLTRACK_EXP_HIGHEST;
  x = x > CLTRACK_EXP_LOWEST ? x : CLTRACK_EXP_LOWEST;
  const float n = floor(x * CLTRACK_EXP_LOG2_E + 0.5f);
  const float r = (x - n * CLTRACK_EXP_LOG_2_HIGH) - n * CLTRACK_EXP_LOG_2_LOW;
  float sum = exp_polynomial[0];
  for (int i = 1; i < CLTRACK_EXP_TERMS; ++i) sum = sum * r + exp_polynomial[i];
  return ((sum * (r * r) + r) + 1) * as_float(((int)n + 127) << 23);
}

float between(float x, float lowest, float highest) {
  x = x > lowest ? x : lowest;
  return x < highest ? x : highest;
}

float activate(float x, int activation) {
  switch (activation) {
    case CLTRACK_ACTIVATION_RELU:
      return x > 0 ? x : 0;
    case CLTRACK_ACTIVATION_RELU6:
      return between(x, 0, 6);
    case CLTRACK_ACTIVATION_HARD_SWISH:
      return x * between(x * (1.0f / 6) + 0.5f, 0, 1);
    case CLTRACK_ACTIVATION_HARD_SIGMOID:
      return between(x * (1.0f / 6) + 0.5f, 0, 1);
    case CLTRACK_ACTIVATION_SIGMOID:
      return 1 / (1 + network_exp(-x));
    case CLTRACK_ACTIVATION_EXP:
      return network_exp(x);
    default:
      return x;
  }
}

int weight_row(int outputs) {
  return (outputs + CLTRACK_WEIGHT_LANES - 1) / CLTRACK_WEIGHT_LANES * CLTRACK_WEIGHT_LANES;
}

bool is_aligned(global const float* at) { return ((size_t)at & 15) == 0; }

// The first `count` of 4 values; the others are 0. `aligned` where all such loads are.
float4 load4(global const float* from, int count, bool aligned) {
  if (count >= 4) return aligned ? *(global const float4*)from : vload4(0, from);
  return (float4)(count > 0 ? from[0] : 0, count > 1 ? from[1] : 0, count > 2 ? from[2] : 0, 0);
}

float4 between4(float4 x, float lowest, float highest) {
  x = x > lowest ? x : (float4)(lowest);
  return x < highest ? x : (float4)(highest);
}

// Of 4 at a time, with one decision for all.
float4 activate4(float4 x, int activation) {
  switch (activation) {
    case CLTRACK_ACTIVATION_NONE:
      return x;
    case CLTRACK_ACTIVATION_RELU:
      return x > 0 ? x : (float4)(0);
    case CLTRACK_ACTIVATION_RELU6:
      return between4(x, 0, 6);
    case CLTRACK_ACTIVATION_HARD_SWISH:
      return x * between4(x * (1.0f / 6) + 0.5f, 0, 1);
    case CLTRACK_ACTIVATION_HARD_SIGMOID:
      return between4(x * (1.0f / 6) + 0.5f, 0, 1);
    default:
      return (float4)(activate(x.x, activation), activate(x.y, activation),
                      activate(x.z, activation), activate(x.w, activation));
  }
}

// The sums of 4 channels, or of as many as there are, to `output` of the target.
void put4(struct LayerShape shape, int place, int channel, float4 sums, global float* output) {
  const float4 made = activate4(sums, shape.activation);
  const int places = shape.made * shape.made;
  const int step = shape.transposed ? places : 1;
  const int count = min(4, shape.outputs - channel);
  global float* to = output + (shape.transposed ? channel * places + place
                                                : place * shape.pitch + shape.first + channel);
  if (count == 4 && step == 1 && is_aligned(to)) {
    global float4* whole = (global float4*)to;
    *whole = shape.adds ? *whole + made : made;
    return;
  }
  const float each[4] = {made.x, made.y, made.z, made.w};
  for (int k = 0; k < count; ++k) to[k * step] = shape.adds ? to[k * step] + each[k] : each[k];
}
