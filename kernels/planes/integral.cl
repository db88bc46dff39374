// SPDX-License-Identifier: LGPL-2.1-or-later
// Integral images of a plane and of its squares, see lib/ops/planes/integral.h: first sums along
// the rows, then along the columns, in place. In unsigned integers any order of additions gives the
// same sums.
#include "parts/prefix_sum.cl"

// Both kernels run in work-groups of ITEMS.
#define ITEMS CLTRACK_INTEGRAL_ITEMS
#define PIXELS 4  // that a work-item takes at a time
#define COLUMNS CLTRACK_INTEGRAL_COLUMNS
#define SEGMENTS (ITEMS / COLUMNS)
#define ROWS 8  // that are read before the first of them is written

// Work-group g writes row g of the integrals, ITEMS * PIXELS pixels at a time: neighbouring items
// read and write neighbouring pixels.
kernel void integral_rows(global const uchar* pixels, struct PlaneLayout plane, global uint* sums,
                          global uint* squares) {
  local uint2 parts[ITEMS];
  const int row = get_group_id(0);
  const int item = get_local_id(0);
  const int stride = plane.width + 1;
  global uint* sum_row = sums + (size_t)row * stride;
  global uint* square_row = squares + (size_t)row * stride;
  if (row == 0) {
    // The row above the picture.
    for (int x = item; x < stride; x += ITEMS) {
      sum_row[x] = 0;
      square_row[x] = 0;
    }
    return;
  }
  global const uchar* src = pixels + plane.offset + (size_t)(row - 1) * plane.stride;
  if (item == 0) {
    sum_row[0] = 0;
    square_row[0] = 0;
  }
  uint2 left = 0;  // sums of pixels and of squares
  for (int first = 0; first < plane.width; first += ITEMS * PIXELS) {
    const int begin = first + item * PIXELS;
    uint values[PIXELS];
    uint2 own = 0;
    for (int i = 0; i < PIXELS; ++i) {
      const uint v = begin + i < plane.width ? src[begin + i] : 0;
      values[i] = v;
      own += (uint2)(v, v * v);
    }
    uint2 sum = left + sums_up_to(own, parts) - own;
    left += parts[ITEMS - 1];
    for (int i = 0; i < PIXELS && begin + i < plane.width; ++i) {
      sum += (uint2)(values[i], values[i] * values[i]);
      sum_row[begin + i + 1] = sum.x;
      square_row[begin + i + 1] = sum.y;
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // `parts` is written again
  }
}

// A work-group sums COLUMNS columns, each divided into SEGMENTS parts.
kernel void integral_columns(int width, int height, global uint* sums, global uint* squares) {
  local uint sum_parts[SEGMENTS][COLUMNS];
  local uint square_parts[SEGMENTS][COLUMNS];
  const int stride = width + 1;
  const int slot = get_local_id(0) % COLUMNS;
  const int segment = get_local_id(0) / COLUMNS;
  const int column = (int)get_group_id(0) * COLUMNS + slot;
  const int part = (height + 1 + SEGMENTS - 1) / SEGMENTS;
  const int begin = column < stride ? min(segment * part, height + 1) : height + 1;
  const int end = min(begin + part, height + 1);

  uint sum = 0;
  uint square = 0;
  for (int y = begin; y < end; ++y) {
    sum += sums[(size_t)y * stride + column];
    square += squares[(size_t)y * stride + column];
  }
  sum_parts[segment][slot] = sum;
  square_parts[segment][slot] = square;
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = 0;
  square = 0;
  for (int above = 0; above < segment; ++above) {
    sum += sum_parts[above][slot];
    square += square_parts[above][slot];
  }
  for (int y = begin; y < end; y += ROWS) {
    global uint* sum_column = sums + (size_t)y * stride + column;
    global uint* square_column = squares + (size_t)y * stride + column;
    uint row_sums[ROWS];
    uint row_squares[ROWS];
    for (int i = 0; i < ROWS && y + i < end; ++i) {
      row_sums[i] = sum_column[(size_t)i * stride];
      row_squares[i] = square_column[(size_t)i * stride];
    }
    for (int i = 0; i < ROWS && y + i < end; ++i) {
      sum_column[(size_t)i * stride] = sum += row_sums[i];
      square_column[(size_t)i * stride] = square += row_squares[i];
    }
  }
}
