// SPDX-License-Identifier: LGPL-2.1-or-later
// The bins of the colours of windows, see lib/ops/filter/filter_colors.h: a work-item takes a
// sample, dimension 1 of the launch is the window.
#include "filter_types.h"
#include "parts/color_cell.cl"

#define BITS CLTRACK_COLOR_BIN_BITS

uint upper_bits(uint value) { return value >> (8 - BITS); }

uint chroma_bin(uint value) {
  const int bin = ((int)value - CLTRACK_LEAST_CHROMA) >> CLTRACK_CHROMA_BIN_BITS;
  return clamp(bin, 0, (1 << BITS) - 1);
}

// The pixel of [0, count) that has the middle of a sample.
int middle_pixel(int start, int step, int sample, int count) {
  return clamp((start + sample * step + step / 2) >> CLTRACK_WINDOW_PIXEL_BITS, 0, count - 1);
}

kernel void sample_colors(global const uchar* plane0, global const uchar* plane1,
                          global const uchar* plane2, struct ColorLayout at, int kind,
                          global const struct WindowJob* jobs, int side, global ushort* bins) {
  const int sample = get_global_id(0);
  if (sample >= side * side) return;
  const struct WindowJob job = jobs[get_global_id(1)];
  const int x = middle_pixel(job.x, job.step_x, sample % side, at.width);
  const int y = middle_pixel(job.y, job.step_y, sample / side, at.height);
  uint bin = upper_bits(value_at(plane0, at.components[0], x, y)) << (2 * BITS);
  if (kind != CLTRACK_LUMA_ALONE) {
    const uint c1 = value_at(plane1, at.components[1], x, y);
    const uint c2 = value_at(plane2, at.components[2], x, y);
    const bool is_rgb = kind == CLTRACK_RGB;
    bin |= (is_rgb ? upper_bits(c1) : chroma_bin(c1)) << BITS;
    bin |= is_rgb ? upper_bits(c2) : chroma_bin(c2);
  }
  bins[(size_t)get_global_id(1) * side * side + sample] = (ushort)bin;
}
