// SPDX-License-Identifier: LGPL-2.1-or-later
// Integral images of a plane and of its squares, see lib/ops/integral.h: first sums along the rows,
// then along the columns, in place. Unsigned integers, so that the order of additions is free. CPUs
// have integral_bands.cl.
//
// SEGMENTS: parts that a column is cut into, one work-item each.
#include "kernel_types.h"

#ifndef SEGMENTS
#define SEGMENTS 8
#endif

// Work-group g writes row g of the integrals, its work-items cut the row into equal parts.
// sum_parts and square_parts have one entry per work-item. A row's sum of squares fits in 32 bits
// up to a width of 66051.
kernel void integral_rows(global const uchar* pixels, struct PlaneLayout plane, global uint* sums,
                          global ulong* squares, local uint* sum_parts, local uint* square_parts) {
  const int row = get_group_id(0);
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int stride = plane.width + 1;
  global uint* sum_row = sums + (size_t)row * stride;
  global ulong* square_row = squares + (size_t)row * stride;
  if (row == 0) {
    // What lies above the picture.
    for (int x = item; x < stride; x += items) {
      sum_row[x] = 0;
      square_row[x] = 0;
    }
    return;
  }
  global const uchar* src = pixels + plane.offset + (size_t)(row - 1) * plane.stride;
  const int part = (plane.width + items - 1) / items;
  const int begin = min(item * part, plane.width);
  const int end = min(begin + part, plane.width);

  uint sum = 0;
  uint square = 0;
  for (int x = begin; x < end; ++x) {
    const uint v = src[x];
    sum += v;
    square += v * v;
  }
  // Sums of all parts up to this one; after each step, of twice as many.
  sum_parts[item] = sum;
  square_parts[item] = square;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < items; step *= 2) {
    const uint other_sum = item >= step ? sum_parts[item - step] : 0;
    const uint other_square = item >= step ? square_parts[item - step] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum_parts[item] += other_sum;
    square_parts[item] += other_square;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  sum = sum_parts[item] - sum;
  square = square_parts[item] - square;

  if (item == 0) {
    sum_row[0] = 0;
    square_row[0] = 0;
  }
  for (int x = begin; x < end; ++x) {
    const uint v = src[x];
    sum += v;
    square += v * v;
    sum_row[x + 1] = sum;
    square_row[x + 1] = square;
  }
}

// Work-item (c, s) sums segment s of column c's rows. sum_parts and square_parts have
// local_size(0) * SEGMENTS entries.
kernel void integral_columns(int width, int height, global uint* sums, global ulong* squares,
                             local uint* sum_parts, local ulong* square_parts) {
  const int stride = width + 1;
  const int column = get_global_id(0);
  const int segment = get_local_id(1);
  const int part = (height + 1 + SEGMENTS - 1) / SEGMENTS;
  const int begin = column < stride ? min(segment * part, height + 1) : height + 1;
  const int end = min(begin + part, height + 1);

  uint sum = 0;
  ulong square = 0;
  for (int y = begin; y < end; ++y) {
    sum += sums[(size_t)y * stride + column];
    square += squares[(size_t)y * stride + column];
  }
  const int slot = get_local_id(0);
  const int slots = get_local_size(0);
  sum_parts[segment * slots + slot] = sum;
  square_parts[segment * slots + slot] = square;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  square = 0;
  for (int above = 0; above < segment; ++above) {
    sum += sum_parts[above * slots + slot];
    square += square_parts[above * slots + slot];
  }
  for (int y = begin; y < end; ++y) {
    const size_t at = (size_t)y * stride + column;
    sums[at] = sum += sums[at];
    squares[at] = square += squares[at];
  }
}
