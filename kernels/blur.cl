// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane, see lib/ops/blur.h: 13 taps along the rows into 8.8 fixed point, then
// along the columns, rounded once at the end. Borders repeat the outermost pixel.
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
// TAPS rows. Vectors of 16-bit words hold every sum: high and low bytes are added up apart.
#define STRIP_WIDTH 64
#define LANES 16

#define BLUR_ROW(first, row)                                              \
  for (int x = 0; x < STRIP_WIDTH; x += LANES) {                          \
    ushort16 sum = 0;                                                     \
    for (int k = 0; k < TAPS; ++k) {                                      \
      sum += kWeights[k] * convert_ushort16(vload16(0, (first) + x + k)); \
    }                                                                     \
    vstore16(sum, 0, (row) + x);                                          \
  }

kernel void blur_strips(global const uchar* pixels, struct PlaneLayout src, global uchar* blurred,
                        struct PlaneLayout dst, int strip_height) {
  const int left = (int)get_global_id(0) * STRIP_WIDTH;
  const int top = (int)get_global_id(1) * strip_height;
  if (left >= src.width || top >= src.height) return;
  const int bottom = min(top + strip_height, src.height);
  const int columns = min(STRIP_WIDTH, src.width - left);
  const bool inside = left >= RADIUS && left + STRIP_WIDTH + RADIUS <= src.width;

  uchar padded[STRIP_WIDTH + 2 * RADIUS];
  ushort ring[TAPS][STRIP_WIDTH];
  for (int y = top - RADIUS; y < bottom + RADIUS; ++y) {
    const int place = (y - top + RADIUS) % TAPS;
    global const uchar* row =
        pixels + src.offset + (size_t)clamp(y, 0, src.height - 1) * src.stride;
    if (inside) {
      BLUR_ROW(row + left - RADIUS, ring[place])
    } else {
      for (int i = 0; i < STRIP_WIDTH + 2 * RADIUS; ++i) {
        padded[i] = row[clamp(left + i - RADIUS, 0, src.width - 1)];
      }
      BLUR_ROW(padded, ring[place])
    }
    const int out_y = y - RADIUS;
    if (out_y < top) continue;
    global uchar* out = blurred + dst.offset + (size_t)out_y * dst.stride + left;
    for (int x = 0; x < columns; x += LANES) {
      ushort16 high = 0;
      ushort16 low = 0;
      for (int k = 0; k < TAPS; ++k) {
        // The oldest row lies right behind the latest one.
        const int from = place + 1 + k;
        const ushort16 value = vload16(0, ring[from < TAPS ? from : from - TAPS] + x);
        high += kWeights[k] * (value >> (ushort)8);
        low += kWeights[k] * (value & (ushort)255);
      }
      const uchar16 bytes = convert_uchar16((high + (low >> (ushort)8) + (ushort)128) >> (ushort)8);
      if (x + LANES <= columns) {
        vstore16(bytes, 0, out + x);
      } else {
        uchar last[LANES];
        vstore16(bytes, 0, last);
        for (int i = x; i < columns; ++i) out[i] = last[i - x];
      }
    }
  }
}
