// SPDX-License-Identifier: LGPL-2.1-or-later
// The transforms of two real planes of 32 x 32 cells as one complex plane, by a work-group: see
// lib/ops/filter/filter_plane.h, which has the same.
#include "filter_types.h"
#include "parts/fft.cl"

#define SIDE CLTRACK_FILTER_CELLS
#define PLANE (SIDE * SIDE)
#define ROWS CLTRACK_FILTER_ROWS
#define BINS CLTRACK_FILTER_BINS
#define PAIRS CLTRACK_FILTER_PAIRS

// Swaps rows and columns.
void transpose(local const float2* from, local float2* to) {
  for (int i = get_local_id(0); i < PLANE; i += get_local_size(0)) {
    to[i % SIDE * SIDE + i / SIDE] = from[i];
  }
}

// `data` has value x of row y at y * 32 + x; with as much memory in `other`. Returns the one that
// has bin (u, v) at u * 32 + v.
local float2* forward(local float2* data, local float2* other, const struct FftStages* stages,
                      global const float2* twiddles) {
  local float2* rows = fft(data, other, SIDE, stages, twiddles);
  local float2* free = rows == data ? other : data;
  transpose(rows, free);
  return fft(free, rows, SIDE, stages, twiddles);
}

// first, second: real parts, then imaginary parts.
void write_spectra(local const float2* z, global float* first, global float* second) {
  for (int bin = get_local_id(0); bin < BINS; bin += get_local_size(0)) {
    const int v = bin / SIDE, u = bin % SIDE;
    const float2 a = z[u * SIDE + v], b = z[(SIDE - u) % SIDE * SIDE + (SIDE - v) % SIDE];
    first[bin] = 0.5f * (a.x + b.x);
    first[BINS + bin] = 0.5f * (a.y - b.y);
    second[bin] = 0.5f * (a.y + b.y);
    second[BINS + bin] = 0.5f * (b.x - a.x);
  }
}

// The value at bin (u, v) of two spectra as one, with real and imaginary part exchanged: see
// backward().
float2 read_spectra(global const float* first, global const float* second, int u, int v) {
  if (v < ROWS) {
    const int bin = v * SIDE + u;
    return (float2)(first[BINS + bin] + second[bin], first[bin] - second[BINS + bin]);
  }
  const int bin = (SIDE - v) * SIDE + (SIDE - u) % SIDE;
  return (float2)(second[bin] - first[BINS + bin], first[bin] + second[BINS + bin]);
}

// `data` has bin (u, v) at u * 32 + v, exchanged. Returns the one that has value x of row y at
// y * 32 + x: the first plane in its .y, the second in its .x, both times 32 * 32.
local float2* backward(local float2* data, local float2* other, const struct FftStages* stages,
                       global const float2* twiddles) {
  return forward(data, other, stages, twiddles);
}
