// SPDX-License-Identifier: LGPL-2.1-or-later
// A product of matrices, see lib/ops/network/convolutions.h. A work-item makes 4 outputs of a few
// places; what the items of a work-group share passes through local memory, some channels at a
// time. Those that come next are on their way while the items work on the ones before: a target
// alone keeps few groups busy, which mostly wait. Dimension 2 of the launch is the target.
#include "parts/activation.cl"

#define ACROSS CLTRACK_PRODUCT_ACROSS
#define OWN CLTRACK_PRODUCT_PLACES  // of an item
#define ITEMS (ACROSS * ACROSS)
#define OUTPUTS (4 * ACROSS)
#define PLACES (OWN * ACROSS)
#define DEPTH 32
#define FOURS (DEPTH / 4)
#define LOADS (PLACES * FOURS / ITEMS)      // of an item, values
#define ROW_LOADS (DEPTH * ACROSS / ITEMS)  // and weights

// What an item loads for the next tile, from channel `begin` on: the same 4 channels of some
// places, and some rows of 4 outputs. What is behind the last channel, place or output is never
// used: so that nothing waits for a decision, loads repeat the last ones there, where vectors lie
// `aligned`.
void load_tile(struct LayerShape shape, int item, int begin, int first_place, int last_output,
               global const float* input, global const float* weights, bool aligned,
               float4 values[LOADS], float4 rows[ROW_LOADS]) {
  const int inputs = shape.inputs;
  const int row = weight_row(shape.outputs);
  const int last_place = shape.made * shape.made - 1;
  const int channel = begin + item % FOURS * 4;
  const int output = min(item % ACROSS * 4, last_output);
#pragma unroll
  for (int i = 0; i < LOADS; ++i) {
    const int place = min(first_place + item / FOURS + i * (ITEMS / FOURS), last_place);
    values[i] = load4(input + place * inputs + (aligned ? min(channel, inputs - 4) : channel),
                      aligned ? 4 : inputs - channel, aligned);
  }
#pragma unroll
  for (int i = 0; i < ROW_LOADS; ++i) {
    const int from = min(begin + item / ACROSS + i * (ITEMS / ACROSS), inputs - 1);
    rows[i] = load4(weights + from * row + output, 4, aligned);
  }
}

kernel void pointwise(struct LayerShape shape, global const int* slots, global const float* weights,
                      global const float* gates, global const float* input, global float* output) {
  local float4 values[PLACES][FOURS + 1];  // one more: rows begin in different banks
  local float4 rows[DEPTH][ACROSS];
  const int places = shape.made * shape.made;
  const int inputs = shape.inputs;
  const int first_channel = get_group_id(0) * OUTPUTS, first_place = get_group_id(1) * PLACES;
  const int across = get_local_id(0), down = get_local_id(1);
  const int item = down * ACROSS + across;
  const size_t target = get_global_id(2);
  if (shape.slot_values > 0) weights += (size_t)slots[target] * shape.slot_values;
  gates += target * inputs;
  input += target * places * inputs;
  output += target * places * shape.pitch;
  const int channel = first_channel + 4 * across;
  const bool has_bias = shape.bias >= 0 && channel < shape.outputs;
  const float4 bias = has_bias ? vload4(0, weights + shape.bias + channel) : (float4)(0);
  float4 sums[OWN];
  for (int i = 0; i < OWN; ++i) sums[i] = bias;
  weights += shape.weights + first_channel;
  const int last_output = weight_row(shape.outputs) - first_channel - 4;
  const bool aligned = inputs % 4 == 0 && is_aligned(input) && is_aligned(weights);
  float4 next[LOADS], next_rows[ROW_LOADS];
  const int c = item % FOURS * 4;
  float4 gate = 1;
  for (int begin = -DEPTH; begin < inputs; begin += DEPTH) {
    const int to_come = begin + DEPTH;
    if (to_come < inputs) {
      if (aligned) {
        load_tile(shape, item, to_come, first_place, last_output, input, weights, true, next,
                  next_rows);
      } else {
        load_tile(shape, item, to_come, first_place, last_output, input, weights, false, next,
                  next_rows);
      }
      if (shape.scaled) gate = load4(gates + to_come + c, inputs - to_come - c, false);
    }
    const int depth = begin < 0 ? 0 : min(DEPTH, inputs - begin);
    int from = 0;
#pragma unroll 2
    for (; from + 4 <= depth; from += 4) {
      const float4 by[4] = {rows[from][across], rows[from + 1][across], rows[from + 2][across],
                            rows[from + 3][across]};
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        const float4 value = values[OWN * down + i][from / 4];
        sums[i] += value.x * by[0];
        sums[i] += value.y * by[1];
        sums[i] += value.z * by[2];
        sums[i] += value.w * by[3];
      }
    }
    for (; from < depth; ++from) {
#pragma unroll
      for (int i = 0; i < OWN; ++i) {
        const float4 value = values[OWN * down + i][from / 4];
        sums[i] += (from % 4 == 0   ? value.x
                    : from % 4 == 1 ? value.y
                                    : value.z) *
                   rows[from][across];
      }
    }
    if (to_come >= inputs) break;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int i = 0; i < LOADS; ++i) {
      values[item / FOURS + i * (ITEMS / FOURS)][c / 4] =
          shape.scaled ? activate4(next[i] * gate, shape.scaling) : next[i];
    }
#pragma unroll
    for (int i = 0; i < ROW_LOADS; ++i) {
      rows[item / ACROSS + i * (ITEMS / ACROSS)][item % ACROSS] = next_rows[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (channel >= shape.outputs) return;
  for (int i = 0; i < OWN && first_place + OWN * down + i < places; ++i) {
    put4(shape, first_place + OWN * down + i, channel, sums[i], output);
  }
}
