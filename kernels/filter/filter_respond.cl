// SPDX-License-Identifier: LGPL-2.1-or-later
// Responses of filters, see lib/ops/filter/translation_filter.h: a work-group does a job.
#include "parts/filter_plane.cl"

#define CHANNELS CLTRACK_HOG_CHANNELS

kernel void filter_respond(global const float* spectra, global const struct FilterJob* jobs,
                           global const float* filters, struct FftStages stages,
                           global const float2* twiddles, global float* responses,
                           local float2* work) {
  const struct FilterJob job = jobs[get_group_id(0)];
  global const float* x = spectra + (size_t)job.window * CHANNELS * 2 * BINS;
  global const float* f = filters + (size_t)job.slot * CHANNELS * 2 * BINS;
  local float2* sums = work + PLANE;
  for (int i = get_local_id(0); i < BINS; i += get_local_size(0)) {
    float2 sum = 0;
    for (int c = 0; c < CHANNELS; ++c) {
      const float x_re = x[c * 2 * BINS + i], x_im = x[(c * 2 + 1) * BINS + i];
      const float f_re = f[c * 2 * BINS + i], f_im = f[(c * 2 + 1) * BINS + i];
      sum.x += f_re * x_re + f_im * x_im;
      sum.y += f_re * x_im - f_im * x_re;
    }
    sums[i] = sum;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    const int u = i / SIDE, v = i % SIDE;
    const float2 sum = v < ROWS ? sums[v * SIDE + u] : sums[(SIDE - v) * SIDE + (SIDE - u) % SIDE];
    work[i] = (float2)(v < ROWS ? sum.y : -sum.y, sum.x);
  }
  local const float2* z = backward(work, sums, &stages, twiddles);
  global float* to = responses + get_group_id(0) * PLANE;
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    to[i] = z[i % SIDE * SIDE + i / SIDE].y * (1.0f / PLANE);
  }
}
