// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture at several resolutions, see lib/ops/flow/flow_pyramid.h: every level is the one below
// it smoothed by [1 4 6 4 1] / 16 in both directions, every second pixel of it kept. Integers with
// one rounding at the end.
//
// STRIP: 1 for GPUs: flow_first() and flow_tiles(), where a work-item makes single pixels. More for
//   CPUs: flow_first() and flow_next(), where it makes a whole row, so many at a time, as vectors.
#include "parts/mirrored.cl"

#ifndef STRIP
#define STRIP 1
#endif

#if STRIP == 1

void reduce(global const uchar* src, struct PlaneLayout from, global uchar* dst,
            struct PlaneLayout to, int x, int y) {
  const int weights[5] = {1, 4, 6, 4, 1};
  int columns[5];
  for (int i = 0; i < 5; ++i) columns[i] = mirrored(2 * x + i - 2, from.width);
  int sum = 128;
  for (int j = 0; j < 5; ++j) {
    global const uchar* row =
        src + from.offset + (size_t)mirrored(2 * y + j - 2, from.height) * from.stride;
    int line = 0;
    for (int i = 0; i < 5; ++i) line += weights[i] * row[columns[i]];
    sum += weights[j] * line;
  }
  dst[to.offset + (size_t)y * to.stride + x] = sum >> 8;
}

// Work-item (x, y) copies a square of 2 x 2 pixels and makes the pixel above them.
kernel void flow_first(global const uchar* pixels, struct PlaneLayout plane, global uchar* pyramid,
                       struct FlowLevels all) {
  const int x = get_global_id(0);
  const int y = get_global_id(1);
  if (2 * x >= plane.width || 2 * y >= plane.height) return;
  const int right = min(2 * x + 2, plane.width);
  const int bottom = min(2 * y + 2, plane.height);
  for (int v = 2 * y; v < bottom; ++v) {
    for (int u = 2 * x; u < right; ++u) {
      pyramid[all.levels[0].offset + (size_t)v * all.levels[0].stride + u] =
          pixels[plane.offset + (size_t)v * plane.stride + u];
    }
  }
  if (all.top > 0) reduce(pixels, plane, pyramid, all.levels[1], x, y);
}

// Pixels of the last level that a work-group of flow_tiles() makes in each direction, and levels
// that it makes at most. For SIDE(s) pixels of a level in each direction, with s = 1 for the last
// one, it takes SIDE(2 * s) of the level below.
#define TILE 2
#define STEPS 4
#define SIDE(scale) ((TILE + 3) * (scale)-3)

// Where the part of a level begins that a group needs, in pixels of that level.
int origin_of(int group, int scale) { return group * TILE * scale - 2 * (scale - 1); }

uchar reduce_part(local const uchar* part, int side, int left, int top, struct PlaneLayout from,
                  int x, int y) {
  const int weights[5] = {1, 4, 6, 4, 1};
  int columns[5];
  for (int i = 0; i < 5; ++i) columns[i] = mirrored(2 * x + i - 2, from.width) - left;
  int sum = 128;
  for (int j = 0; j < 5; ++j) {
    local const uchar* row = part + (mirrored(2 * y + j - 2, from.height) - top) * side;
    int line = 0;
    for (int i = 0; i < 5; ++i) line += weights[i] * row[columns[i]];
    sum += weights[j] * line;
  }
  return (uchar)(sum >> 8);
}

// Makes `count` levels from `first` on, STEPS at most: a work-group goes all the way to its tile of
// the last one, and what of the levels between lies on the way is made by several of them.
kernel void flow_tiles(global uchar* pyramid, struct FlowLevels all, int first, int count) {
  local uchar parts[2][SIDE(1 << STEPS) * SIDE(1 << STEPS)];
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int column = get_group_id(0);
  const int row = get_group_id(1);

  int scale = 1 << count;
  const struct PlaneLayout source = all.levels[first - 1];
  const int side = SIDE(scale);
  for (int i = item; i < side * side; i += items) {
    const int x = origin_of(column, scale) + i % side;
    const int y = origin_of(row, scale) + i / side;
    if (x < 0 || y < 0 || x >= source.width || y >= source.height) continue;
    parts[0][i] = pyramid[source.offset + (size_t)y * source.stride + x];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < count; ++k) {
    const int below = scale;
    scale /= 2;
    const struct PlaneLayout from = all.levels[first + k - 1];
    const struct PlaneLayout to = all.levels[first + k];
    const int here = SIDE(scale);
    for (int i = item; i < here * here; i += items) {
      const int x = origin_of(column, scale) + i % here;
      const int y = origin_of(row, scale) + i / here;
      if (x < 0 || y < 0 || x >= to.width || y >= to.height) continue;
      const uchar pixel = reduce_part(parts[k % 2], SIDE(below), origin_of(column, below),
                                      origin_of(row, below), from, x, y);
      parts[(k + 1) % 2][i] = pixel;
      // What is this group's own.
      if (x / (TILE * scale) == column && y / (TILE * scale) == row) {
        pyramid[to.offset + (size_t)y * to.stride + x] = pixel;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

#else

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

#endif
