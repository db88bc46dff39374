// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of a frame's windows, see lib/ops/network/sample_pictures.h: a work-item makes a place,
// dimension 1 of the launch is the picture.
#include "filter_types.h"
#include "network_types.h"
#include "parts/color_cell.cl"

#define PIXEL_BITS CLTRACK_WINDOW_PIXEL_BITS
#define FRACTION (1 << CLTRACK_PICTURE_BITS)

// The pixel before a position, of [0, count), the one behind it, and how much that one counts.
int3 between(int position, int shift, int count) {
  const int at = (position >> shift) - (1 << (PIXEL_BITS - 1));
  const int last = (count - 1) >> shift;
  const int first = at >> PIXEL_BITS;
  return (int3)(clamp(first, 0, last), clamp(first + 1, 0, last),
                (at & ((1 << PIXEL_BITS) - 1)) >> (PIXEL_BITS - CLTRACK_PICTURE_BITS));
}

float interpolated(global const uchar* plane, struct ColorComponentLayout c, int x, int y,
                   int width, int height) {
  const int3 columns = between(x, c.shift_x, width);
  const int3 rows = between(y, c.shift_y, height);
  global const uchar* above = plane + c.offset + rows.x * c.stride;
  global const uchar* below = plane + c.offset + rows.y * c.stride;
  const long left = (long)columns.x * c.step, right = (long)columns.y * c.step;
  const int at_left = above[left] * (FRACTION - rows.z) + below[left] * rows.z;
  const int at_right = above[right] * (FRACTION - rows.z) + below[right] * rows.z;
  return (float)(at_left * (FRACTION - columns.z) + at_right * columns.z) *
         (1.0f / (FRACTION * FRACTION));
}

kernel void sample_pictures(global const uchar* plane0, global const uchar* plane1,
                            global const uchar* plane2, struct ColorLayout layout,
                            struct PictureColors colors, global const struct PictureJob* jobs,
                            int side, global float* pictures) {
  const int place = get_global_id(0);
  if (place >= side * side) return;
  const struct PictureJob job = jobs[get_global_id(1)];
  const int x = job.x + place % side * job.step_x + job.step_x / 2;
  const int y = job.y + place / side * job.step_y + job.step_y / 2;
  global float* to = pictures + ((size_t)get_global_id(1) * side * side + place) * 3;
  if (x < 0 || y < 0 || x >> PIXEL_BITS >= layout.width || y >> PIXEL_BITS >= layout.height) {
    for (int k = 0; k < 3; ++k) to[k] = job.fill[k] - colors.mean[k];
    return;
  }
  float values[3] = {0, 0, 0};
  values[0] = interpolated(plane0, layout.components[0], x, y, layout.width, layout.height) -
              colors.offset[0];
  if (colors.components > 1) {
    values[1] = interpolated(plane1, layout.components[1], x, y, layout.width, layout.height) -
                colors.offset[1];
    values[2] = interpolated(plane2, layout.components[2], x, y, layout.width, layout.height) -
                colors.offset[2];
  }
  for (int k = 0; k < 3; ++k) {
    const float sum = (colors.matrix[3 * k] * values[0] + colors.matrix[3 * k + 1] * values[1]) +
                      colors.matrix[3 * k + 2] * values[2];
    to[k] = clamp(sum, 0.0f, 255.0f) - colors.mean[k];
  }
}
