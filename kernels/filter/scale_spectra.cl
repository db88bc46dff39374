// SPDX-License-Identifier: LGPL-2.1-or-later
// Transforms features along the scales, see lib/ops/filter/scale_filter.h: a work-item makes a
// value of a bin; dimension 1 of the launch is the bin, dimension 2 the target.
#include "parts/scale_sums.cl"

kernel void scale_spectra(global const float* features, global float* spectra) {
  const int value = get_global_id(0);
  if (value >= VALUES) return;
  const int bin = get_global_id(1);
  const size_t target = get_global_id(2);
  features += target * SCALES * VALUES + value;
  float re = 0, im = 0;
  int turn = 0;  // bin * s % 33
  for (int s = 0; s < SCALES; ++s) {
    const float feature = features[s * VALUES];
    re += hann[s] * turn_cos[turn] * feature;
    im += -(hann[s] * turn_sin[turn]) * feature;
    turn += bin;
    turn = turn >= SCALES ? turn - SCALES : turn;
  }
  spectra += (target * BINS + bin) * 2 * VALUES + value;
  spectra[0] = re;
  spectra[VALUES] = im;
}
