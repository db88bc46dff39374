// SPDX-License-Identifier: LGPL-2.1-or-later
// What integral.cl does, for CPUs: a work-item writes a band of rows, from top to bottom, so that
// no row is written twice. It needs the column sums of all bands above its own, which
// integral_totals() adds up first.
#include "kernel_types.h"

#define LANES 8

int first_row(int band, int bands, int height) { return (int)((long)height * band / bands); }

// Work-item b adds up the columns of band b: `totals` has `width` sums for each band, and as many
// sums of squares. They fit in 32 bits up to 66051 rows.
kernel void integral_totals(global const uchar* pixels, struct PlaneLayout plane, int bands,
                            global uint* totals) {
  const int band = get_global_id(0);
  if (band >= bands) return;
  global uint* sums = totals + (size_t)band * 2 * plane.width;
  global uint* squares = sums + plane.width;
  for (int x = 0; x < plane.width; ++x) sums[x] = squares[x] = 0;
  const int end = first_row(band + 1, bands, plane.height);
  for (int y = first_row(band, bands, plane.height); y < end; ++y) {
    global const uchar* row = pixels + plane.offset + (size_t)y * plane.stride;
    int x = 0;
    for (; x + LANES <= plane.width; x += LANES) {
      const uint8 v = convert_uint8(vload8(0, row + x));
      vstore8(vload8(0, sums + x) + v, 0, sums + x);
      vstore8(vload8(0, squares + x) + v * v, 0, squares + x);
    }
    for (; x < plane.width; ++x) {
      const uint v = row[x];
      sums[x] += v;
      squares[x] += v * v;
    }
  }
}

// Each entry and all before it.
uint8 prefix_sums(uint8 v) {
  v += (uint8)(0, v.s0123, v.s45, v.s6);
  v += (uint8)(0, 0, v.s0123, v.s45);
  return v + (uint8)(0, 0, 0, 0, v.s0123);
}

// A row of both integrals from a row of pixels, and from the row above. A row's sum of squares fits
// in 32 bits up to a width of 66051.
void integrate_row(global const uchar* pixels, int width, int stride, global uint* sums,
                   global ulong* squares) {
  sums[0] = 0;
  squares[0] = 0;
  uint sum = 0, square = 0;
  int x = 0;
  for (; x + LANES <= width; x += LANES) {
    const uint8 v = convert_uint8(vload8(0, pixels + x));
    const uint8 row_sums = prefix_sums(v) + sum;
    const uint8 row_squares = prefix_sums(v * v) + square;
    global uint* sums_here = sums + x + 1;
    global ulong* squares_here = squares + x + 1;
    vstore8(vload8(0, sums_here - stride) + row_sums, 0, sums_here);
    vstore8(vload8(0, squares_here - stride) + convert_ulong8(row_squares), 0, squares_here);
    sum = row_sums.s7;
    square = row_squares.s7;
  }
  for (; x < width; ++x) {
    const uint v = pixels[x];
    sum += v;
    square += v * v;
    sums[x + 1] = sums[x + 1 - stride] + sum;
    squares[x + 1] = squares[x + 1 - stride] + square;
  }
}

// Work-item b writes the rows of band b, from the row above its first pixels on. The last band also
// writes the row below the picture.
kernel void integral_bands(global const uchar* pixels, struct PlaneLayout plane, int bands,
                           global const uint* totals, global uint* sums, global ulong* squares) {
  const int band = get_global_id(0);
  if (band >= bands) return;
  const int width = plane.width;
  const int stride = width + 1;
  const int begin = first_row(band, bands, plane.height);
  const int end = first_row(band + 1, bands, plane.height) + (band + 1 == bands ? 1 : 0);
  global uint* sum_row = sums + (size_t)begin * stride;
  global ulong* square_row = squares + (size_t)begin * stride;
  uint sum = 0;
  ulong square = 0;
  sum_row[0] = 0;
  square_row[0] = 0;
  for (int x = 0; x < width; ++x) {
    for (int above = 0; above < band; ++above) {
      sum += totals[(size_t)above * 2 * width + x];
      square += totals[((size_t)above * 2 + 1) * width + x];
    }
    sum_row[x + 1] = sum;
    square_row[x + 1] = square;
  }
  for (int y = begin + 1; y < end; ++y) {
    integrate_row(pixels + plane.offset + (size_t)(y - 1) * plane.stride, width, stride,
                  sums + (size_t)y * stride, squares + (size_t)y * stride);
  }
}
