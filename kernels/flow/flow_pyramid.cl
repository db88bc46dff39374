// SPDX-License-Identifier: LGPL-2.1-or-later
// A picture at several resolutions, see lib/ops/flow/flow_pyramid.h: every level is the one below
// it, smoothed by [1 4 6 4 1] / 16 in both directions, of which every second pixel is kept.
// Integers with one rounding at the end.
#include "parts/mirrored.cl"

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

// A work-group of flow_tiles() makes TILE pixels of the last level in each direction, and STEPS
// levels at most. For SIDE(s) pixels of a level in each direction, with s = 1 for the last one, it
// takes SIDE(2 * s) of the level below.
#define TILE CLTRACK_FLOW_TILE
#define STEPS CLTRACK_FLOW_STEPS
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

// Makes `count` levels from `first` on, STEPS at most. A work-group computes all that its tile of
// the last level depends on; several groups compute the same pixels of the levels between.
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
      // One of the groups that compute a pixel writes it.
      if (x / (TILE * scale) == column && y / (TILE * scale) == row) {
        pyramid[to.offset + (size_t)y * to.stride + x] = pixel;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}
