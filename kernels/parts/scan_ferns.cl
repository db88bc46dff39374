// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of scan.cl and scan_cpu.cl.
//
// FERNS, PAIRS: of the ensemble; pixel pairs of each fern.
#include "parts/candidate.cl"

#ifndef FERNS
#define FERNS 10
#endif
#ifndef PAIRS
#define PAIRS 13
#endif

// Whether n^2 times the variance of the n pixels of a window reaches `minimum`: exact, as
// scaled_variance() on the host. `top` and `bottom` are the entries of the integrals at its left
// corners, `area` is n.
bool varied(global const uint* sums, global const ulong* squares, int width, ulong area, size_t top,
            size_t bottom, ulong minimum) {
  const ulong sum = (uint)(sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top]);
  const ulong square =
      squares[bottom + width] - squares[bottom] - squares[top + width] + squares[top];
  return area * square - sum * sum >= minimum;
}

// Whether windows of a size, given by its index, may lie in the region, if their top edges are from
// `first` to `last`.
bool meets(struct ScanRegion region, int index, int height, int first, int last) {
  return index >= region.first_size && index < region.first_size + region.size_count &&
         last >= region.top && first + height <= region.bottom;
}

// Whether one of the rows from `first` to `last` is scanned from end to end.
bool has_turn(struct ScanRegion region, int first, int last) {
  const int interval = region.row_interval;
  const int shift = interval - region.row_turn;
  // Such rows up to `last`, and before `first`.
  return interval > 0 && (last + shift) / interval > (first - 1 + shift) / interval;
}

// Where the tables of a job begin.
size_t tables_of(int job, global const struct ScanJob* jobs) {
  return (size_t)jobs[job].tables * (FERNS << PAIRS);
}
