// SPDX-License-Identifier: LGPL-2.1-or-later
// What scale_spectra.cl does, for CPUs: a work-item makes 16 values of a bin. Dimension 1 of the
// launch is the bin, dimension 2 the target.
#include "parts/scale_sums.cl"

kernel void scale_spectra(global const float* features, global float* spectra) {
  const int bin = get_global_id(1);
  const size_t target = get_global_id(2);
  const size_t first = get_global_id(0) * 16;
  features += target * SCALES * VALUES + first;
  float16 re = 0, im = 0;
  int turn = 0;  // bin * s % 33
  for (int s = 0; s < SCALES; ++s) {
    const float16 feature = vload16(0, features + s * VALUES);
    re += hann[s] * turn_cos[turn] * feature;
    im += -(hann[s] * turn_sin[turn]) * feature;
    turn += bin;
    turn = turn >= SCALES ? turn - SCALES : turn;
  }
  spectra += (target * BINS + bin) * 2 * VALUES + first;
  vstore16(re, 0, spectra);
  vstore16(im, 0, spectra + VALUES);
}
