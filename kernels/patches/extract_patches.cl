// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches of many boxes, see lib/ops/patches/extract_patches.h: a work-group makes the weights of
// its box's rows and columns, then the patch.
#include "parts/patch.cl"

#define CHUNK 128  // columns that are weighed at a time
#define QUADS (CHUNK / 4)
#define LANES CLTRACK_PATCH_LANES  // items that make the weights of an output pixel

// Keys' cubic convolution kernel, a = -0.5.
float cubic(float x) {
  x = fabs(x);
  const float inner = (1.5f * x - 2.5f) * x * x + 1;
  const float outer = ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return x < 1 ? inner : x < 2 ? outer : 0.0f;
}

// A row or column of output pixels: the input pixels that it takes, and its first tap, which may be
// one of an input pixel before the box's first.
struct Output {
  int first, taps;  // input pixels
  int shift;        // weights of taps before that of `first`
  int first_tap;
  float center;
};

struct Output output_of(struct Axis axis, int output) {
  struct Output its;
  its.center = axis.start + ((float)output + 0.5f) * axis.step - 0.5f;
  its.first_tap = (int)ceil(its.center - 2 * axis.widening);
  its.first = clamp(its.first_tap, axis.low, axis.high);
  its.taps = clamp(its.first_tap + axis.taps - 1, axis.low, axis.high) - its.first + 1;
  its.shift = its.taps == 1 ? 0 : its.first - its.first_tap;
  return its;
}

float cubic_at(int tap, struct Output output, struct Axis axis) {
  return cubic(((float)(output.first_tap + tap) - output.center) / axis.widening);
}

// Adds the rounding residual of an output pixel's weights to the largest of them, and the weights
// of taps beyond the box's first or last pixel to that pixel's: sums of integers stay the same.
// This also gives a single input pixel the whole weight: with a branch for it, PoCL 6.0 leaves out
// the whole function (see CONTRIBUTING.md).
void complete_weights(struct Output output, int taps, global int* weights) {
  int rest = 1 << WEIGHT_BITS;
  int largest = 0;  // the first of the largest weights
  int largest_weight = INT_MIN;
  int before = 0, behind = 0;
  const int last = output.shift + output.taps - 1;
  for (int t = 0; t < taps; ++t) {
    const int weight = weights[t];
    rest -= weight;
    largest = weight > largest_weight ? t : largest;
    largest_weight = max(weight, largest_weight);
    before += t < output.shift ? weight : 0;
    behind += t > last ? weight : 0;
  }
  weights[clamp(largest, output.shift, last)] += rest;
  weights[output.shift] += before;
  weights[last] += behind;
}

// Groups (g, j), any number of g, of 2 * SIDE items or more, a multiple of LANES, do box after box
// of job j. Each job has `boxes_each`, of which the first counts[j] are used. `taps` has room for
// max_taps weights of each output pixel of the two axes, for each group.
kernel void extract_patches(global const uchar* pixels, struct PlaneLayout plane,
                            global const float4* boxes, int boxes_each, global const uint* counts,
                            int max_taps, global int* taps, global struct Patch* patches) {
  local struct Axis axes[2];              // of columns, and of rows
  local struct Output outputs[2 * SIDE];  // columns, then rows
  local float tap_sums[2 * SIDE];
  local int4 sums[SIDE][QUADS];  // pixels weighed along the columns
  local int values[STRIDE];
  local int total;
  local int squares;
  const int job = get_group_id(1);
  const int groups = get_num_groups(0);
  const int group = get_group_id(0);
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  global int* weights = taps + ((size_t)job * groups + group) * 2 * SIDE * max_taps;
  for (int index = group; index < (int)counts[job]; index += groups) {
    const int box = job * boxes_each + index;
    const float4 at = boxes[box];
    const int low = clamp((int)floor(at.x), 0, plane.width - 1);
    const int high = clamp((int)ceil(at.x + at.z) - 1, low, plane.width - 1);

    if (item < 2) axes[item] = axis_of(at, item == 1, plane.width, plane.height, max_taps);
    barrier(CLK_LOCAL_MEM_FENCE);
    // Outputs are spread over the group, so that they run in parallel.
    const int apart = max(1, items / (2 * SIDE));
    const bool has_output = item % apart == 0 && item / apart < 2 * SIDE;
    const int own = has_output ? item / apart : 0;
    const int own_taps = axes[own / SIDE].taps;
    global int* own_weights = weights + own * max_taps;
    if (has_output) outputs[own] = output_of(axes[own / SIDE], own % SIDE);
    barrier(CLK_LOCAL_MEM_FENCE);
    // First, weights hold the bits of floats.
    for (int i = item / LANES; i < 2 * SIDE; i += items / LANES) {
      const struct Axis axis = axes[i / SIDE];
      for (int t = item % LANES; t < axis.taps; t += LANES) {
        weights[i * max_taps + t] = as_int(cubic_at(t, outputs[i], axis));
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (has_output) {
      float sum = 0;
      for (int t = 0; t < own_taps; ++t) sum += as_float(own_weights[t]);
      tap_sums[own] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    for (int i = item / LANES; i < 2 * SIDE; i += items / LANES) {
      for (int t = item % LANES; t < axes[i / SIDE].taps; t += LANES) {
        global int* weight = weights + i * max_taps + t;
        const float scaled = as_float(*weight) / tap_sums[i] * (1 << WEIGHT_BITS);
        *weight = (short)(scaled + copysign(0.5f, scaled));
      }
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (has_output) complete_weights(outputs[own], own_taps, own_weights);
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (item == 0) {
      total = 0;
      squares = 0;
    }
    for (int i = item; i < STRIDE; i += items) values[i] = 0;
    // Items take four columns at a time, which they load together where these are a word in memory.
    const bool has_words = plane.stride % 4 == 0;
    const int begin_left = has_words ? low - (plane.offset + low) % 4 : low;
    const int parts = max(1, items / PIXELS);  // that take turns in an output's taps
    for (int left = begin_left; left <= high; left += CHUNK) {
      const int columns_here = min(CHUNK, high - left + 1);
      for (int i = item; i < SIDE * QUADS; i += items) {
        const int j = i / QUADS;
        const int x = i % QUADS * 4;
        if (x >= columns_here) continue;
        const struct Output row = outputs[SIDE + j];
        global const uchar* source =
            pixels + plane.offset + (size_t)row.first * plane.stride + left + x;
        global const int* weight = weights + (SIDE + j) * max_taps + row.shift;
        int4 sum = 1 << (WEIGHT_BITS - ROW_BITS - 1);
        if (has_words && left + x + 4 <= plane.width) {
#pragma unroll 4
          for (int t = 0; t < row.taps; ++t) {
            const uint word = *(global const uint*)(source + (size_t)t * plane.stride);
            sum += weight[t] * convert_int4(as_uchar4(word));
          }
        } else {
          const int last = columns_here - 1 - x;
          const int second = min(1, last), third = min(2, last), fourth = min(3, last);
          for (int t = 0; t < row.taps; ++t) {
            global const uchar* four = source + (size_t)t * plane.stride;
            sum += weight[t] * (int4)(four[0], four[second], four[third], four[fourth]);
          }
        }
        sums[j][i % QUADS] = sum >> (WEIGHT_BITS - ROW_BITS);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = item; i < PIXELS * parts; i += items) {
        const int output = i % PIXELS;
        local const int* row = (local const int*)sums[output / SIDE];
        const struct Output column = outputs[output % SIDE];
        global const int* weight = weights + (output % SIDE) * max_taps + column.shift;
        const int begin = max(0, left - column.first);
        const int end = min(column.taps, left + columns_here - column.first);
        int sum = 0;
#pragma unroll 4
        for (int t = begin + i / PIXELS; t < end; t += parts) {
          sum += weight[t] * row[column.first + t - left];
        }
        atomic_add(&values[output], sum);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }

    for (int i = item; i < PIXELS; i += items) {
      values[i] = clamp((values[i] + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS, 0, 255 * UNIT);
      atomic_add(&total, values[i]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    const int mean = (total + PIXELS / 2) / PIXELS;
    global struct Patch* patch = patches + box;
    for (int i = item; i < STRIDE; i += items) {
      const int value = i < PIXELS ? values[i] - mean : 0;
      patch->pixels[i] = (short)value;
      atomic_add(&squares, value * value);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item == 0) patch->norm = sqrt((float)squares);
    for (int i = item; i < 7; i += items) patch->unused[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  }
}
