// SPDX-License-Identifier: LGPL-2.1-or-later
// Spectra of features, see lib/ops/filter/translation_filter.h: work-group g transforms the pair
// g % 16 of channels of window g / 16.
#include "parts/filter_plane.cl"

kernel void filter_spectra(global const float* features, global const float* weights,
                           struct FftStages stages, global const float2* twiddles,
                           global float* spectra, local float2* work) {
  const int pair = get_group_id(0) % PAIRS;
  const size_t window = get_group_id(0) / PAIRS;
  global const float* first = features + (window * 2 * PAIRS + pair) * PLANE;
  global const float* second = first + PAIRS * PLANE;
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    work[i % SIDE * SIDE + i / SIDE] = (float2)(weights[i] * first[i], weights[i] * second[i]);
  }
  local const float2* z = forward(work, work + PLANE, &stages, twiddles);
  global float* to = spectra + (window * 2 * PAIRS + pair) * 2 * BINS;
  write_spectra(z, to, to + PAIRS * 2 * BINS);
}
