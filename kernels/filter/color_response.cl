// SPDX-License-Identifier: LGPL-2.1-or-later
// How much boxes look like targets by their colours, see lib/ops/filter/filter_colors.h.
// Work-group (g, j) has the vertical displacements [g * places, (g + 1) * places) of job j, from
// -16 on. It adds up the columns of the boxes of each, then these columns to the responses.
#include "filter_types.h"

#define PLACES CLTRACK_COLOR_PLACES

// The first sample of a box of `length` samples at displacement `place` - 16.
int begin_of(int place, int length, int side) {
  return side / 2 + (place - PLACES / 2) * (side / PLACES) - length / 2;
}

// Likelihoods of a column's samples [begin, end).
uint column_sum(global const ushort* column, int side, int begin, int end,
                global const ushort* likelihoods) {
  uint sum = 0;
  for (int y = begin; y < end; ++y) sum += likelihoods[column[y * side]];
  return sum;
}

// `columns`: (side + 1) * places; one more than needed, so that neighbours are in other banks.
kernel void color_response(global const ushort* bins, int side,
                           global const struct ColorResponseJob* jobs, int places,
                           global const ushort* likelihoods, global float* responses,
                           local uint* columns) {
  const int item = get_local_id(0), items = get_local_size(0);
  const int first = (int)get_group_id(0) * places;
  const size_t j = get_group_id(1);
  const struct ColorResponseJob job = jobs[j];
  bins += (size_t)job.window * side * side;
  likelihoods += (size_t)job.slot * CLTRACK_COLOR_BINS;
  responses += j * PLACES * PLACES;
  for (int x = item; x < side; x += items) {
    // The next box has more rows below, and fewer above.
    int begin = clamp(begin_of(first, job.height, side), 0, side), end = begin;
    uint sum = 0;
    for (int k = 0; k < places; ++k) {
      const int top = begin_of(first + k, job.height, side);
      const int next_begin = clamp(top, 0, side), next_end = clamp(top + job.height, 0, side);
      sum += column_sum(bins + x, side, end, next_end, likelihoods);
      sum -= column_sum(bins + x, side, begin, next_begin, likelihoods);
      columns[k * (side + 1) + x] = sum;
      begin = next_begin;
      end = next_end;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < places * PLACES; i += items) {
    const int k = i % places, place_x = i / places;
    const int left = begin_of(place_x, job.width, side);
    const int end = clamp(left + job.width, 0, side);
    uint sum = 0;
    for (int x = clamp(left, 0, side); x < end; ++x) sum += columns[k * (side + 1) + x];
    // Displacement 0 is entry 0.
    const int column = (place_x + PLACES / 2) % PLACES;
    const int row = (first + k + PLACES / 2) % PLACES;
    responses[column * PLACES + row] = (float)sum * job.scale;
  }
}
