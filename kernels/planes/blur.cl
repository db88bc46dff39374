// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane, see lib/ops/planes/blur.h: 13 taps along the rows into 8.8 fixed point,
// then along the columns, rounded once at the end. Borders repeat the outermost pixel.
#include "kernel_types.h"

#define RADIUS 6
#define TAPS (2 * RADIUS + 1)

constant ushort kWeights[TAPS] = {1, 2, 7, 17, 31, 45, 50, 45, 31, 17, 7, 2, 1};

// For GPUs: a work-group of TILE_WIDTH x GROUP_ROWS items blurs a tile out of local memory.
#define TILE_WIDTH 32
#define TILE_HEIGHT 32
#define GROUP_ROWS 8

kernel void blur_tiles(global const uchar* pixels, struct PlaneLayout src, global uchar* blurred,
                       struct PlaneLayout dst) {
  local uchar tile[TILE_HEIGHT + 2 * RADIUS][TILE_WIDTH + 2 * RADIUS];
  local ushort rows[TILE_HEIGHT + 2 * RADIUS][TILE_WIDTH];
  const int left = (int)get_group_id(0) * TILE_WIDTH;
  const int top = (int)get_group_id(1) * TILE_HEIGHT;
  const int column = get_local_id(0);
  const int first_row = get_local_id(1);

  for (int j = first_row; j < TILE_HEIGHT + 2 * RADIUS; j += GROUP_ROWS) {
    const int y = clamp(top + j - RADIUS, 0, src.height - 1);
    global const uchar* row = pixels + src.offset + (size_t)y * src.stride;
    for (int i = column; i < TILE_WIDTH + 2 * RADIUS; i += TILE_WIDTH) {
      tile[j][i] = row[clamp(left + i - RADIUS, 0, src.width - 1)];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = first_row; j < TILE_HEIGHT + 2 * RADIUS; j += GROUP_ROWS) {
    uint sum = 0;
    for (int k = 0; k < TAPS; ++k) sum += kWeights[k] * tile[j][column + k];
    rows[j][column] = (ushort)sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int x = left + column;
  if (x >= dst.width) return;
  for (int j = first_row; j < TILE_HEIGHT && top + j < dst.height; j += GROUP_ROWS) {
    uint sum = 0x8000;
    for (int k = 0; k < TAPS; ++k) sum += (uint)kWeights[k] * rows[j + k][column];
    blurred[dst.offset + (size_t)(top + j) * dst.stride + x] = (uchar)(sum >> 16);
  }
}

// For CPUs: a work-item blurs a strip of STRIP_WIDTH columns and goes down it, keeping the latest
// TAPS rows. Vectors of 16-bit words hold every sum: high and low bytes are added up apart, and
// kept apart. Weights are symmetric: pixels are added up in pairs first.
#define STRIP_WIDTH 64
#define LANES 16

struct BlurredRow {
  ushort16 high[STRIP_WIDTH / LANES];
  ushort16 low[STRIP_WIDTH / LANES];
};

// `first`: the pixel RADIUS columns left of the strip, in whatever memory.
#define BLUR_ROW(first, row)                                                                      \
  for (int i = 0; i < STRIP_WIDTH / LANES; ++i) {                                                 \
    ushort16 sum = kWeights[RADIUS] * convert_ushort16(vload16(0, (first) + i * LANES + RADIUS)); \
    for (int k = 0; k < RADIUS; ++k) {                                                            \
      sum += kWeights[k] * (convert_ushort16(vload16(0, (first) + i * LANES + k)) +               \
                            convert_ushort16(vload16(0, (first) + i * LANES + 2 * RADIUS - k)));  \
    }                                                                                             \
    (row)->high[i] = sum >> (ushort)8;                                                            \
    (row)->low[i] = sum & (ushort)255;                                                            \
  }

// Vector i of the row that `rows` lie around, from above to below.
uchar16 blurred_down(const struct BlurredRow* const* rows, int i) {
  ushort16 high = kWeights[RADIUS] * rows[RADIUS]->high[i];
  ushort16 low = kWeights[RADIUS] * rows[RADIUS]->low[i];
#pragma unroll
  for (int k = 0; k < RADIUS; ++k) {
    const struct BlurredRow* above = rows[k];
    const struct BlurredRow* below = rows[2 * RADIUS - k];
    high += kWeights[k] * (above->high[i] + below->high[i]);
    low += kWeights[k] * (above->low[i] + below->low[i]);
  }
  return convert_uchar16((high + (low >> (ushort)8) + (ushort)128) >> (ushort)8);
}

kernel void blur_strips(global const uchar* pixels, struct PlaneLayout src, global uchar* blurred,
                        struct PlaneLayout dst, int strip_height) {
  const int left = (int)get_global_id(0) * STRIP_WIDTH;
  const int top = (int)get_global_id(1) * strip_height;
  if (left >= src.width || top >= src.height) return;
  const int bottom = min(top + strip_height, src.height);
  const int columns = min(STRIP_WIDTH, src.width - left);
  const bool inside = left >= RADIUS && left + STRIP_WIDTH + RADIUS <= src.width;
  // Of `padded`, what is of the picture.
  const int begin = max(RADIUS - left, 0);
  const int end = min(STRIP_WIDTH + 2 * RADIUS, src.width - left + RADIUS);

  uchar padded[STRIP_WIDTH + 2 * RADIUS];
  struct BlurredRow ring[TAPS];
  for (int y = top - RADIUS; y < bottom + RADIUS; ++y) {
    const int place = (y - top + RADIUS) % TAPS;
    global const uchar* row =
        pixels + src.offset + (size_t)clamp(y, 0, src.height - 1) * src.stride;
    if (inside) {
      BLUR_ROW(row + left - RADIUS, ring + place)
    } else {
      for (int i = 0; i < begin; ++i) padded[i] = row[0];
      for (int i = begin; i < end; ++i) padded[i] = row[left - RADIUS + i];
      for (int i = end; i < STRIP_WIDTH + 2 * RADIUS; ++i) padded[i] = row[src.width - 1];
      BLUR_ROW(padded, ring + place)
    }
    const int out_y = y - RADIUS;
    if (out_y < top) continue;
    const struct BlurredRow* rows[TAPS];
    for (int k = 0; k < TAPS; ++k) {
      // The oldest row lies right behind the latest one.
      const int from = place + 1 + k;
      rows[k] = ring + (from < TAPS ? from : from - TAPS);
    }
    global uchar* out = blurred + dst.offset + (size_t)out_y * dst.stride + left;
    if (columns == STRIP_WIDTH) {
      for (int i = 0; i < STRIP_WIDTH / LANES; ++i) vstore16(blurred_down(rows, i), i, out);
    } else {
      for (int i = 0; i * LANES < columns; ++i) {
        uchar last[LANES];
        vstore16(blurred_down(rows, i), 0, last);
        for (int x = i * LANES; x < min((i + 1) * LANES, columns); ++x) out[x] = last[x % LANES];
      }
    }
  }
}
