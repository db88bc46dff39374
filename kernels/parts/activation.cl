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

// `output` of the target.
void put(struct LayerShape shape, int place, int channel, float sum, global float* output) {
  const int places = shape.made * shape.made;
  global float* to = output + (shape.transposed ? channel * places + place
                                                : place * shape.pitch + shape.first + channel);
  const float made = activate(sum, shape.activation);
  *to = shape.adds ? *to + made : made;
}
