// SPDX-License-Identifier: LGPL-2.1-or-later
// Patches of many boxes, see lib/ops/patch.h: a work-group makes the weights of its box's rows and
// columns, then the patch. CPUs have extract_patches_vectors.cl.
#include "patch_axis.cl"

#define CHUNK 64

// Keys' cubic convolution kernel, a = -0.5.
float cubic(float x) {
  x = fabs(x);
  const float inner = (1.5f * x - 2.5f) * x * x + 1;
  const float outer = ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return x < 1 ? inner : x < 2 ? outer : 0.0f;
}

// Fills the span of output pixel `output` of an axis, and its weights. Taps beyond the box's first
// or last pixel are added to that pixel's: sums of integers stay the same.
void weigh_output(struct Axis axis, int output, global struct Span* its_span,
                  global short* weights) {
  const float center = axis.start + ((float)output + 0.5f) * axis.step - 0.5f;
  const int first = (int)ceil(center - 2 * axis.widening);
  struct Span span;
  span.first = clamp(first, axis.low, axis.high);
  span.taps = clamp(first + axis.taps - 1, axis.low, axis.high) - span.first + 1;

  float sum = 0;
  for (int t = 0; t < axis.taps; ++t) sum += cubic(((float)(first + t) - center) / axis.widening);
  for (int t = 0; t < span.taps; ++t) weights[t] = 0;
  int rest = 1 << WEIGHT_BITS;
  int largest = 0;  // the first of the largest weights
  int largest_weight = INT_MIN;
  for (int t = 0; t < axis.taps; ++t) {
    const float exact = cubic(((float)(first + t) - center) / axis.widening);
    const float scaled = exact / sum * (1 << WEIGHT_BITS);
    const int weight = (short)(scaled + copysign(0.5f, scaled));
    rest -= weight;
    if (weight > largest_weight) {
      largest_weight = weight;
      largest = t;
    }
    weights[clamp(first + t, axis.low, axis.high) - span.first] += (short)weight;
  }
  weights[clamp(first + largest, axis.low, axis.high) - span.first] += (short)rest;
  *its_span = span;
}

// One work-group for each box, of PIXELS items or more. `spans` and `weights` have room for the two
// axes of every box: SIDE spans each, and max_taps weights for each of them.
kernel void extract_patches(global const uchar* pixels, struct PlaneLayout plane,
                            global const float4* boxes, global const uint* count, int max_taps,
                            global struct Span* spans, global short* weights,
                            global struct Patch* patches) {
  local int sums[SIDE][CHUNK];  // pixels weighed along the columns
  local int values[STRIDE];
  local int total;
  local int squares;
  const int box = get_group_id(0);
  if ((uint)box >= count[0]) return;
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const float4 at = boxes[box];
  const int low = clamp((int)floor(at.x), 0, plane.width - 1);
  const int high = clamp((int)ceil(at.x + at.z) - 1, low, plane.width - 1);
  global struct Span* columns = spans + box * 2 * SIDE;
  global struct Span* rows = columns + SIDE;
  global short* column_weights = weights + (size_t)box * 2 * SIDE * max_taps;
  global short* row_weights = column_weights + SIDE * max_taps;

  // Spread over the group, so that they run beside each other.
  const int apart = max(1, items / (2 * SIDE));
  if (item % apart == 0 && item / apart < 2 * SIDE) {
    const int output = item / apart;
    weigh_output(axis_of(at, output >= SIDE, plane.width, plane.height, max_taps), output % SIDE,
                 columns + output, column_weights + output * max_taps);
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (item == 0) {
    total = 0;
    squares = 0;
  }
  for (int i = item; i < STRIDE; i += items) values[i] = 0;
  for (int left = low; left <= high; left += CHUNK) {
    const int columns_here = min(CHUNK, high - left + 1);
    for (int i = item; i < SIDE * CHUNK; i += items) {
      const int j = i / CHUNK;
      const int x = i % CHUNK;
      if (x >= columns_here) continue;
      global const uchar* source =
          pixels + plane.offset + (size_t)rows[j].first * plane.stride + left + x;
      global const short* weight = row_weights + j * max_taps;
      int sum = 1 << (WEIGHT_BITS - ROW_BITS - 1);
      for (int t = 0; t < rows[j].taps; ++t) {
        sum += weight[t] * source[(size_t)t * plane.stride];
      }
      sums[j][x] = sum >> (WEIGHT_BITS - ROW_BITS);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = item; i < PIXELS; i += items) {
      const int j = i / SIDE;
      const struct Span span = columns[i % SIDE];
      global const short* weight = column_weights + (i % SIDE) * max_taps;
      const int begin = max(0, left - span.first);
      const int end = min(span.taps, left + columns_here - span.first);
      int sum = 0;
      for (int t = begin; t < end; ++t) sum += weight[t] * sums[j][span.first + t - left];
      values[i] += sum;
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
}
