// SPDX-License-Identifier: LGPL-2.1-or-later
// What extract_patches.cl does, for CPUs: a box for each work-item, row by row. Before, it computes
// the weights of an axis: its output pixels are the lanes of a vector, of which one stays unused.
#include "parts/patch.cl"

#define LANES CLTRACK_PATCH_LANES
#define CHUNK 256  // columns at a time

// The input pixels [first, first + taps) that add up to an output pixel.
struct Span {
  int first;
  int taps;
};

// Keys' cubic convolution kernel, a = -0.5.
float16 cubic(float16 x) {
  x = fabs(x);
  const float16 inner = (1.5f * x - 2.5f) * x * x + 1;
  const float16 outer = ((-0.5f * x + 2.5f) * x - 4) * x + 2;
  return select(select((float16)0, outer, x < 2), inner, x < 1);
}

// Fills the spans of an axis' output pixels, and max_taps weights of each: at least LANES at the
// end are 0, for inner_product(). Taps beyond the box's first or last pixel are added to that
// pixel's: sums of integers stay the same.
void weigh_outputs(struct Axis axis, int max_taps, global struct Span* spans,
                   global short* weights) {
  for (int i = 0; i < SIDE * max_taps; ++i) weights[i] = 0;

  const float16 output = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const float16 center = axis.start + (output + 0.5f) * axis.step - 0.5f;
  const int16 first = convert_int16(ceil(center - 2 * axis.widening));
  const int16 low = axis.low, high = axis.high;
  const int16 begin = clamp(first, low, high);
  float16 sum = 0;
  for (int t = 0; t < axis.taps; ++t) {
    sum += cubic((convert_float16(first + t) - center) / axis.widening);
  }
  int16 rest = 1 << WEIGHT_BITS;
  int16 largest = 0;  // the first of the largest weights
  int16 largest_weight = INT_MIN;
  int numbers[16], places[16];
  for (int t = 0; t < axis.taps; ++t) {
    const float16 exact = cubic((convert_float16(first + t) - center) / axis.widening);
    const float16 scaled = exact / sum * (1 << WEIGHT_BITS);
    const int16 weight = convert_int16(scaled + copysign((float16)0.5f, scaled));
    rest -= weight;
    largest = select(largest, (int16)t, weight > largest_weight);
    largest_weight = max(largest_weight, weight);
    vstore16(weight, 0, numbers);
    vstore16(clamp(first + t, low, high) - begin, 0, places);
    for (int i = 0; i < SIDE; ++i) weights[i * max_taps + places[i]] += (short)numbers[i];
  }
  vstore16(rest, 0, numbers);
  vstore16(clamp(first + largest, low, high) - begin, 0, places);
  for (int i = 0; i < SIDE; ++i) weights[i * max_taps + places[i]] += (short)numbers[i];

  vstore16(begin, 0, places);
  vstore16(clamp(first + axis.taps - 1, low, high) - begin + 1, 0, numbers);
  for (int i = 0; i < SIDE; ++i) {
    const struct Span span = {places[i], numbers[i]};
    spans[i] = span;
  }
}

// sums[x] = `taps` pixels, from pixels[x] on down, by their weights. At most 1.25 * 255 * UNIT.
void weigh_columns(global const uchar* pixels, int stride, int columns, global const short* weights,
                   int taps, local short* sums) {
  if (columns >= LANES) {
    for (int next = 0; next < columns; next += LANES) {
      const int x = min(next, columns - LANES);
      int16 sum = 1 << (WEIGHT_BITS - ROW_BITS - 1);
      for (int t = 0; t < taps; ++t) {
        sum += (int)weights[t] * convert_int16(vload16(0, pixels + (size_t)t * stride + x));
      }
      vstore16(convert_short16(sum >> (WEIGHT_BITS - ROW_BITS)), 0, sums + x);
    }
    return;
  }
  for (int x = 0; x < columns; ++x) {
    int sum = 1 << (WEIGHT_BITS - ROW_BITS - 1);
    for (int t = 0; t < taps; ++t) sum += weights[t] * pixels[(size_t)t * stride + x];
    sums[x] = (short)(sum >> (WEIGHT_BITS - ROW_BITS));
  }
}

// Of `taps` numbers, and up to LANES - 1 more, of which one is 0.
int inner_product(global const short* a, local const short* b, int taps) {
  int16 sums = 0;
  for (int t = 0; t < taps; t += LANES) {
    sums += convert_int16(vload16(0, a + t)) * convert_int16(vload16(0, b + t));
  }
  return sum_of(sums);
}

// A work-item extracts the patch of one box. `spans` and `weights` have room for the two axes of
// every box: SIDE spans each, and max_taps weights for each of them. Work-items are the boxes of a
// job, of which the first counts[job] are used, times the jobs.
kernel void extract_patches(global const uchar* pixels, struct PlaneLayout plane,
                            global const float4* boxes, global const uint* counts, int max_taps,
                            global struct Span* spans, global short* weights,
                            global struct Patch* patches) {
  local short sums[CHUNK + LANES];
  const int job = get_global_id(1);
  if ((uint)get_global_id(0) >= counts[job]) return;
  const int box = job * (int)get_global_size(0) + (int)get_global_id(0);
  const int low = clamp((int)floor(boxes[box].x), 0, plane.width - 1);
  const int high = clamp((int)ceil(boxes[box].x + boxes[box].z) - 1, low, plane.width - 1);
  global struct Span* columns = spans + box * 2 * SIDE;
  global struct Span* rows = columns + SIDE;
  global short* column_weights = weights + (size_t)box * 2 * SIDE * max_taps;
  global short* row_weights = column_weights + SIDE * max_taps;
  const int most = max_taps - LANES;
  weigh_outputs(axis_of(boxes[box], false, plane.width, plane.height, most), max_taps, columns,
                column_weights);
  weigh_outputs(axis_of(boxes[box], true, plane.width, plane.height, most), max_taps, rows,
                row_weights);

  int values[STRIDE];
  for (int i = 0; i < STRIDE; ++i) values[i] = 0;
  for (int left = low; left <= high; left += CHUNK) {
    const int width = min(CHUNK, high - left + 1);
    vstore16((short16)0, 0, sums + width);
    for (int j = 0; j < SIDE; ++j) {
      weigh_columns(pixels + plane.offset + (size_t)rows[j].first * plane.stride + left,
                    plane.stride, width, row_weights + j * max_taps, rows[j].taps, sums);
      for (int i = 0; i < SIDE; ++i) {
        const int begin = max(0, left - columns[i].first);
        const int end = min(columns[i].taps, left + width - columns[i].first);
        values[j * SIDE + i] += inner_product(column_weights + i * max_taps + begin,
                                              sums + columns[i].first + begin - left, end - begin);
      }
    }
  }

  int total = 0;
  for (int i = 0; i < PIXELS; ++i) {
    values[i] = clamp((values[i] + (1 << (WEIGHT_BITS - 1))) >> WEIGHT_BITS, 0, 255 * UNIT);
    total += values[i];
  }
  const int mean = (total + PIXELS / 2) / PIXELS;
  global struct Patch* patch = patches + box;
  int squares = 0;
  for (int i = 0; i < STRIDE; ++i) {
    const int value = i < PIXELS ? values[i] - mean : 0;
    patch->pixels[i] = (short)value;
    squares += value * value;
  }
  patch->norm = sqrt((float)squares);
  for (int i = 0; i < 7; ++i) patch->unused[i] = 0;
}
