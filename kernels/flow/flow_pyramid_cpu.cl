// SPDX-License-Identifier: LGPL-2.1-or-later
// What flow_pyramid.cl does, for CPUs: a work-item makes a whole row, STRIP pixels at a time, as
// vectors.
#include "parts/mirrored.cl"

#define STRIP 128

// Columns that a strip needs: two more on the left, one more on the right.
#define COLUMNS (2 * STRIP + 3)

ushort16 smoothed(global const uchar* const* rows, int x) {
  const ushort16 outer =
      convert_ushort16(vload16(0, rows[0] + x)) + convert_ushort16(vload16(0, rows[4] + x));
  const ushort16 inner =
      convert_ushort16(vload16(0, rows[1] + x)) + convert_ushort16(vload16(0, rows[3] + x));
  return outer + inner * (ushort)4 + convert_ushort16(vload16(0, rows[2] + x)) * (ushort)6;
}

// Smooths down the columns first. 16 bits are enough: 255 * 256 + 128.
void reduce_row(global const uchar* src, struct PlaneLayout from, global uchar* dst,
                struct PlaneLayout to, int y) {
  global const uchar* rows[5];
  for (int j = 0; j < 5; ++j) {
    rows[j] = src + from.offset + (size_t)mirrored(2 * y + j - 2, from.height) * from.stride;
  }
  global uchar* out = dst + to.offset + (size_t)y * to.stride;
  ushort sums[COLUMNS + 16];
  for (int left = 0; left < to.width; left += STRIP) {
    const int first = 2 * left - 2;  // the column of sums[0]
    const int outputs = min(STRIP, to.width - left);
    const int last = first + 2 * outputs + 3;
    const int end = min(last, from.width);
    int x = max(first, 0);
    for (; x + 16 <= end; x += 16) vstore16(smoothed(rows, x), 0, sums + x - first);
    for (; x < end; ++x) {
      sums[x - first] = rows[0][x] + rows[4][x] + 4 * (rows[1][x] + rows[3][x]) + 6 * rows[2][x];
    }
    for (x = first; x < 0; ++x) sums[x - first] = sums[mirrored(x, from.width) - first];
    for (x = end; x < last; ++x) sums[x - first] = sums[mirrored(x, from.width) - first];

    for (x = 0; x + 8 <= outputs; x += 8) {
      const ushort16 a = vload16(0, sums + 2 * x);
      const ushort16 b = vload16(0, sums + 2 * x + 2);
      const ushort8 c = vload16(0, sums + 2 * x + 4).even;
      const ushort8 sum = a.even + c + (a.odd + b.odd) * (ushort)4 + b.even * (ushort)6;
      vstore8(convert_uchar8((sum + (ushort)128) >> (ushort)8), 0, out + left + x);
    }
    for (; x < outputs; ++x) {
      const ushort* s = sums + 2 * x;
      out[left + x] = (s[0] + s[4] + 4 * (s[1] + s[3]) + 6 * s[2] + 128) >> 8;
    }
  }
}

// Work-item y copies rows 2 * y and 2 * y + 1, and makes the row above them.
kernel void flow_first(global const uchar* pixels, struct PlaneLayout plane, global uchar* pyramid,
                       struct FlowLevels all) {
  const int y = get_global_id(0);
  const int bottom = min(2 * y + 2, plane.height);
  for (int v = 2 * y; v < bottom; ++v) {
    global const uchar* src = pixels + plane.offset + (size_t)v * plane.stride;
    global uchar* dst = pyramid + all.levels[0].offset + (size_t)v * all.levels[0].stride;
    int x = 0;
    for (; x + 16 <= plane.width; x += 16) vstore16(vload16(0, src + x), 0, dst + x);
    for (; x < plane.width; ++x) dst[x] = src[x];
  }
  if (all.top > 0 && y < all.levels[1].height) {
    reduce_row(pixels, plane, pyramid, all.levels[1], y);
  }
}

// Work-item y makes that row of `level`.
kernel void flow_next(global uchar* pyramid, struct FlowLevels all, int level) {
  const int y = get_global_id(0);
  if (y >= all.levels[level].height) return;
  reduce_row(pyramid, all.levels[level - 1], pyramid, all.levels[level], y);
}
