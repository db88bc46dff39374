// SPDX-License-Identifier: LGPL-2.1-or-later
// Gaussian blur of a plane, see lib/ops/planes/blur.h: 13 taps along the rows into 8.8 fixed point,
// then along the columns, rounded once at the end. Borders repeat the outermost pixel.
#include "kernel_types.h"

// The taps of lib/ops/planes/blur.h.
#define RADIUS CLTRACK_BLUR_RADIUS
#define TAPS (2 * RADIUS + 1)

constant ushort kWeights[RADIUS + 1] = CLTRACK_BLUR_WEIGHTS;  // from the centre on

#define TILE CLTRACK_BLUR_TILE
#define GROUP_ROWS CLTRACK_BLUR_TILE_ROWS

// A work-group of TILE x GROUP_ROWS items blurs a tile of TILE x TILE pixels in local memory.
kernel void blur_tiles(global const uchar* pixels, struct PlaneLayout src, global uchar* blurred,
                       struct PlaneLayout dst) {
  local uchar tile[TILE + 2 * RADIUS][TILE + 2 * RADIUS];
  local ushort rows[TILE + 2 * RADIUS][TILE];
  const int left = (int)get_group_id(0) * TILE;
  const int top = (int)get_group_id(1) * TILE;
  const int column = get_local_id(0);
  const int first_row = get_local_id(1);

  for (int j = first_row; j < TILE + 2 * RADIUS; j += GROUP_ROWS) {
    const int y = clamp(top + j - RADIUS, 0, src.height - 1);
    global const uchar* row = pixels + src.offset + (size_t)y * src.stride;
    for (int i = column; i < TILE + 2 * RADIUS; i += TILE) {
      tile[j][i] = row[clamp(left + i - RADIUS, 0, src.width - 1)];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int j = first_row; j < TILE + 2 * RADIUS; j += GROUP_ROWS) {
    uint sum = 0;
    for (int k = 0; k < TAPS; ++k) sum += kWeights[abs(k - RADIUS)] * tile[j][column + k];
    rows[j][column] = (ushort)sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int x = left + column;
  if (x >= dst.width) return;
  for (int j = first_row; j < TILE && top + j < dst.height; j += GROUP_ROWS) {
    uint sum = 0x8000;
    for (int k = 0; k < TAPS; ++k) sum += (uint)kWeights[abs(k - RADIUS)] * rows[j + k][column];
    blurred[dst.offset + (size_t)(top + j) * dst.stride + x] = (uchar)(sum >> 16);
  }
}
