// SPDX-License-Identifier: LGPL-2.1-or-later
// What the integrals of a plane say of it, see lib/ops/planes/integral.h: rows have `stride`
// entries, a box begins at entry `top`.
#include "kernel_types.h"

uint box_sum(global const uint* sums, int stride, size_t top, int width, int height) {
  const size_t bottom = top + (size_t)height * stride;
  return sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top];
}

ulong box_squares(global const uint* squares, int stride, size_t top, int width, int height) {
  if (width * height <= CLTRACK_EXACT_SQUARES) return box_sum(squares, stride, top, width, height);
  const int rows = CLTRACK_EXACT_SQUARES / width;
  ulong sum = 0;
  for (int y = 0; y < height; y += rows) {
    sum += box_sum(squares, stride, top + (size_t)y * stride, width, min(rows, height - y));
  }
  return sum;
}

// The mean, rounded.
int plane_level(global const uint* sums, int width, int height) {
  const uint pixels = (uint)width * height;
  return (box_sum(sums, width + 1, 0, width, height) + pixels / 2) / pixels;
}
