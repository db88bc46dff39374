// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of a picture, see lib/ops/filter/sample_windows.h: a work-item makes a sample, dimension
// 1 of the launch is the window.
#define WINDOW_VALUE uchar
#define WINDOW_UNIT CLTRACK_GREY_SAMPLES
#include "parts/window_sample.cl"

kernel void sample_windows(global const uchar* pixels, struct PlaneLayout plane,
                           global const struct WindowJob* jobs, int side, global ushort* samples) {
  const int sample = get_global_id(0);
  if (sample >= side * side) return;
  const size_t window = get_global_id(1);
  samples[window * side * side + sample] = window_sample(
      pixels + plane.offset, plane.width, plane.height, plane.stride, jobs[window], side, sample);
}
