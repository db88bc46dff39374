// SPDX-License-Identifier: LGPL-2.1-or-later
// Integral images of a plane and of its squares, see lib/ops/integral.h: first sums along the rows,
// then along the columns, in place. Unsigned integers, so that the order of additions is free.
//
// STRIP: neighbouring columns that one work-item sums. 1 where neighbouring work-items read
//   neighbouring memory together (GPUs); more where each goes its own way (CPUs).
// SEGMENTS: parts that a column is cut into, one work-item each.
#include "kernel_types.h"

#ifndef STRIP
#define STRIP 1
#endif
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

// Work-item (c, s) sums columns c * STRIP ... of segment s of the rows. sum_parts and square_parts
// have local_size(0) * SEGMENTS * STRIP entries.
kernel void integral_columns(int width, int height, global uint* sums, global ulong* squares,
                             local uint* sum_parts, local ulong* square_parts) {
  const int stride = width + 1;
  const int left = (int)get_global_id(0) * STRIP;
  const int columns = clamp(stride - left, 0, STRIP);
  const int segment = get_local_id(1);
  const int part = (height + 1 + SEGMENTS - 1) / SEGMENTS;
  const int begin = min(segment * part, height + 1);
  const int end = min(begin + part, height + 1);

  uint sum[STRIP];
  ulong square[STRIP];
  for (int i = 0; i < STRIP; ++i) {
    sum[i] = 0;
    square[i] = 0;
  }
#if SEGMENTS > 1
  for (int y = begin; y < end; ++y) {
    for (int i = 0; i < columns; ++i) {
      sum[i] += sums[(size_t)y * stride + left + i];
      square[i] += squares[(size_t)y * stride + left + i];
    }
  }
  const int slot = (int)get_local_id(0) * STRIP;
  const int slots = (int)get_local_size(0) * STRIP;
  for (int i = 0; i < STRIP; ++i) {
    sum_parts[segment * slots + slot + i] = sum[i];
    square_parts[segment * slots + slot + i] = square[i];
    sum[i] = 0;
    square[i] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int above = 0; above < segment; ++above) {
    for (int i = 0; i < STRIP; ++i) {
      sum[i] += sum_parts[above * slots + slot + i];
      square[i] += square_parts[above * slots + slot + i];
    }
  }
#endif
  for (int y = begin; y < end; ++y) {
    for (int i = 0; i < columns; ++i) {
      const size_t at = (size_t)y * stride + left + i;
      sums[at] = sum[i] += sums[at];
      squares[at] = square[i] += squares[at];
    }
  }
}
