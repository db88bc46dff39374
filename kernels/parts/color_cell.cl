// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the kernels that read colours: the cell of a pixel's colour in the table of labels.
#include "kernel_types.h"

#define DROP (8 - CLTRACK_COLOR_BITS)

uint value_at(global const uchar* plane, struct ColorComponentLayout c, int x, int y) {
  return plane[c.offset + (y >> c.shift_y) * c.stride + (long)(x >> c.shift_x) * c.step];
}

uint cell_at(global const uchar* plane0, global const uchar* plane1, global const uchar* plane2,
             const struct ColorLayout* at, int x, int y) {
  const uint c0 = value_at(plane0, at->components[0], x, y);
  const uint c1 = value_at(plane1, at->components[1], x, y);
  const uint c2 = value_at(plane2, at->components[2], x, y);
  return c1 >> DROP << (2 * CLTRACK_COLOR_BITS) | c2 >> DROP << CLTRACK_COLOR_BITS | c0 >> DROP;
}
