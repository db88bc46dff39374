// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of windows, see lib/ops/filter/sample_windows.h: a work-item makes a sample, dimension
// 1 of the launch is the window.
#define WINDOW_VALUE ushort
#define WINDOW_UNIT 1
#include "parts/window_sample.cl"

kernel void resample_windows(global const ushort* sources, int source_side,
                             global const struct WindowJob* jobs, int side,
                             global ushort* samples) {
  const int sample = get_global_id(0);
  if (sample >= side * side) return;
  const size_t window = get_global_id(1);
  const struct WindowJob job = jobs[window];
  samples[window * side * side + sample] =
      window_sample(sources + (size_t)job.frame * source_side * source_side, source_side,
                    source_side, source_side, job, side, sample);
}
