// SPDX-License-Identifier: LGPL-2.1-or-later
// Learns spectra, see lib/ops/filter/scale_filter.h: a work-group has a bin, dimension 1 of the
// launch, of a job, dimension 2; its work-items share the lanes.
#include "parts/scale_sums.cl"

constant float label_re[BINS] = CLTRACK_SCALE_LABEL_RE;
constant float label_im[BINS] = CLTRACK_SCALE_LABEL_IM;

float mixed(float old, float latest, float rate) {
  return rate == 1 ? latest : (1 - rate) * old + rate * latest;
}

kernel void scale_learn(global const float* restrict spectra,
                        global const struct ScaleLearnJob* jobs, global float* restrict numerators,
                        global float* denominators) {
  local float sums[LANES];
  const int bin = get_global_id(1);
  const struct ScaleLearnJob job = jobs[get_global_id(2)];
  spectra += ((size_t)job.window * BINS + bin) * 2 * VALUES;
  numerators += ((size_t)job.slot * BINS + bin) * 2 * VALUES;
  for (int lane = get_local_id(0); lane < LANES; lane += get_local_size(0)) {
    float sum = 0;
#pragma unroll 6
    for (int i = 0; i < VALUES / LANES; ++i) {
      const int v = i * LANES + lane;
      const float re = spectra[v], im = spectra[VALUES + v];
      numerators[v] = mixed(numerators[v], label_re[bin] * re + label_im[bin] * im, job.rate);
      numerators[VALUES + v] =
          mixed(numerators[VALUES + v], label_im[bin] * re - label_re[bin] * im, job.rate);
      sum += re * re + im * im;
    }
    sums[lane] = sum;
  }
  add_lanes(sums, 1);
  if (get_local_id(0) == 0) {
    global float* denominator = denominators + (size_t)job.slot * BINS + bin;
    *denominator = mixed(*denominator, sums[0], job.rate);
  }
}
