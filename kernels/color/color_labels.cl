// SPDX-License-Identifier: LGPL-2.1-or-later
// The label of each pixel, see lib/ops/color/color_sums.h. A work-item takes every n-th pixel of
// a row, where n is the number of work-items of the row.
#include "parts/color_cell.cl"

kernel void color_labels(global const uchar* plane0, global const uchar* plane1,
                         global const uchar* plane2, struct ColorLayout at,
                         global const uchar* table, global uchar* labels) {
  const int y = get_global_id(1);
  for (int x = get_global_id(0); x < at.width; x += get_global_size(0)) {
    labels[(size_t)y * at.width + x] = table[cell_at(plane0, plane1, plane2, &at, x, y)];
  }
}
