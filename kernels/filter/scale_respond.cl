// SPDX-License-Identifier: LGPL-2.1-or-later
// Asks filters, see lib/ops/filter/scale_filter.h: a work-group has a job, dimension 1 of the
// launch. Its work-items share first the lanes of all bins, then the bins, then the scales.
#include "parts/scale_sums.cl"

kernel void scale_respond(global const float* spectra, global const struct ScaleRespondJob* jobs,
                          global const float* numerators, global const float* denominators,
                          global float* responses) {
  local float sums[2 * BINS * LANES];  // real parts first
  local float answer_re[BINS], answer_im[BINS];
  local float own_cos[SCALES], own_sin[SCALES];
  const int item = get_local_id(0), items = get_local_size(0);
  const struct ScaleRespondJob job = jobs[get_global_id(1)];
  spectra += (size_t)job.window * BINS * 2 * VALUES;
  numerators += (size_t)job.slot * BINS * 2 * VALUES;
  for (int i = item; i < BINS * LANES; i += items) {
    const int first = i / LANES * 2 * VALUES;
    float sum_re = 0, sum_im = 0;
#pragma unroll 6
    for (int j = 0; j < VALUES / LANES; ++j) {
      const int v = first + j * LANES + i % LANES;
      const float re = spectra[v], im = spectra[VALUES + v];
      const float by_re = numerators[v], by_im = numerators[VALUES + v];
      sum_re += by_re * re - by_im * im;
      sum_im += by_re * im + by_im * re;
    }
    sums[i] = sum_re;
    sums[BINS * LANES + i] = sum_im;
  }
  // Work-items of a GPU that want different factors get them one after the other from constants.
  for (int i = item; i < SCALES; i += items) {
    own_cos[i] = turn_cos[i];
    own_sin[i] = turn_sin[i];
  }
  add_lanes(sums, 2 * BINS);
  for (int bin = item; bin < BINS; bin += items) {
    const float scale = denominators[(size_t)job.slot * BINS + bin] + CLTRACK_SCALE_FLOOR;
    answer_re[bin] = sums[bin * LANES] / scale;
    answer_im[bin] = sums[(BINS + bin) * LANES] / scale;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int s = item; s < SCALES; s += items) {
    float sum = answer_re[0];
    for (int bin = 1; bin < BINS; ++bin) {
      const int turn = bin * s % SCALES;
      sum += 2 * (answer_re[bin] * own_cos[turn] - answer_im[bin] * own_sin[turn]);
    }
    responses[(size_t)get_global_id(1) * SCALES + s] = sum * (1.0f / SCALES);
  }
}
