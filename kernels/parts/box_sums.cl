// SPDX-License-Identifier: LGPL-2.1-or-later
// Sums over boxes of a plane, from its integrals, see lib/ops/planes/integral.h: rows have `stride`
// entries, a box begins at entry `top`.
#include "kernel_types.h"

uint box_sum(global const uint* sums, int stride, size_t top, int width, int height) {
  const size_t bottom = top + (size_t)height * stride;
  return sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top];
}

ulong box_squares(global const uint* squares, int stride, size_t top, int width, int height) {
  if (width * height <= CLTRACK_EXACT_SQUARES) return box_sum(squares, stride, top, width, height);
  const int rows = max(CLTRACK_EXACT_SQUARES / width, 1);
  ulong sum = 0;
  for (int y = 0; y < height; y += rows) {
    sum += box_sum(squares, stride, top + (size_t)y * stride, width, min(rows, height - y));
  }
  return sum;
}

// The sum over the whole plane.
ulong plane_squares(global const uint* squares, int width, int height) {
  const int rows = max(CLTRACK_EXACT_SQUARES / width, 1);
  ulong sum = 0;
  uint above = 0;
  for (int y = 0; y < height; y += rows) {
    const uint last = squares[(size_t)min(y + rows, height) * (width + 1) + width];
    sum += (uint)(last - above);
    above = last;
  }
  return sum;
}

// The mean, rounded.
int plane_level(global const uint* sums, int width, int height) {
  const uint pixels = (uint)width * height;
  return (box_sum(sums, width + 1, 0, width, height) + pixels / 2) / pixels;
}
