// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches filters, see lib/ops/filter/translation_filter.h: filter_first and filter_last solve, a
// work-item for each bin, dimension 1 of the launch being the job; filter_mask, after each of them,
// takes a work-group for each job and pair of channels.
#include "parts/filter_plane.cl"

#define CHANNELS CLTRACK_HOG_CHANNELS
#define SPECTRUM (CHANNELS * 2 * BINS)

// first, masked: null in the first step. `result` may be `first`.
void solve(struct FilterJob job, int bin, float label, global const float* x,
           global const float* before, global const float* first, global const float* masked,
           global float* result) {
  const float temporal = job.temporal;
  float2 q[CHANNELS];
  float2 dot = 0;
  float energy = 0;
  for (int c = 0; c < CHANNELS; ++c) {
    const int re = c * 2 * BINS + bin, im = re + BINS;
    const float x_re = x[re], x_im = x[im];
    float a = x_re * label, b = x_im * label;
    if (temporal > 0) {
      a += temporal * before[re];
      b += temporal * before[im];
    }
    if (first != 0) {
      a += CLTRACK_FILTER_PENALTY * (masked[re] - (first[re] - masked[re]));
      b += CLTRACK_FILTER_PENALTY * (masked[im] - (first[im] - masked[im]));
    }
    q[c] = (float2)(a, b);
    dot.x += x_re * a + x_im * b;
    dot.y += x_re * b - x_im * a;
    energy += x_re * x_re + x_im * x_im;
  }
  const float regular = PLANE * (CLTRACK_FILTER_PENALTY + temporal);
  const float scale = 1 / (CLTRACK_FILTER_PENALTY + temporal);
  dot /= regular + energy;
  for (int c = 0; c < CHANNELS; ++c) {
    const int re = c * 2 * BINS + bin, im = re + BINS;
    const float x_re = x[re], x_im = x[im];
    result[re] = (q[c].x - (x_re * dot.x - x_im * dot.y)) * scale;
    result[im] = (q[c].y - (x_re * dot.y + x_im * dot.x)) * scale;
  }
}

kernel void filter_first(global const float* spectra, global const struct FilterJob* jobs,
                         global const float* label, global const float* filters,
                         global float* first) {
  const int bin = get_global_id(0);
  if (bin >= BINS) return;
  const struct FilterJob job = jobs[get_global_id(1)];
  solve(job, bin, label[bin], spectra + (size_t)job.window * SPECTRUM,
        filters + (size_t)job.slot * SPECTRUM, 0, 0, first + get_global_id(1) * SPECTRUM);
}

// The filters of job i, at place i, become those at the same place or, `to_slots`, in the job's
// slot.
kernel void filter_mask(global const float* first, global const struct FilterJob* jobs,
                        struct FftStages stages, global const float2* twiddles, int to_slots,
                        global float* masked, local float2* work) {
  const int pair = get_group_id(0) % PAIRS;
  const struct FilterJob job = jobs[get_group_id(0) / PAIRS];
  const size_t of_pair = pair * 2 * BINS, second = PAIRS * 2 * BINS;
  const size_t from = get_group_id(0) / PAIRS * SPECTRUM + of_pair;
  const size_t to = to_slots ? (size_t)job.slot * SPECTRUM + of_pair : from;
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    work[i] = read_spectra(first + from, first + from + second, i / SIDE, i % SIDE);
  }
  local float2* z = backward(work, work + PLANE, &stages, twiddles);
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    const int x = i % SIDE, y = i / SIDE;
    const bool inside = fabs(x - 15.5f) <= job.half_width && fabs(y - 15.5f) <= job.half_height;
    z[i] = z[i].yx * (inside ? 1.0f / PLANE : 0);
  }
  local const float2* spectrum = forward(z, z == work ? work + PLANE : work, &stages, twiddles);
  write_spectra(spectrum, masked + to, masked + to + second);
}

kernel void filter_last(global const float* spectra, global const struct FilterJob* jobs,
                        global const float* label, global const float* filters,
                        global const float* masked, global float* first) {
  const int bin = get_global_id(0);
  if (bin >= BINS) return;
  const struct FilterJob job = jobs[get_global_id(1)];
  const size_t own = get_global_id(1) * SPECTRUM;
  solve(job, bin, label[bin], spectra + (size_t)job.window * SPECTRUM,
        filters + (size_t)job.slot * SPECTRUM, first + own, masked + own, first + own);
}
