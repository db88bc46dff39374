// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels. A window that a scan has found, as lib/ops/ferns/scan.h has it.
#include "kernel_types.h"

struct Candidate {
  uint window;
  uint score;
};

// How many of `count` candidates by rising index are before `window`.
uint candidates_before(uint window, global const struct Candidate* candidates, uint count) {
  uint begin = 0;
  uint end = count;
  while (begin < end) {
    const uint middle = begin + (end - begin) / 2;
    const bool before = candidates[middle].window < window;
    begin = before ? middle + 1 : begin;
    end = before ? end : middle;
  }
  return begin;
}

// Part of other kernels. The boxes of the windows of a scan, see lib/ops/ferns/scan_windows.h.
// Which size a window has.
int size_of(uint window, global const struct WindowLayout* sizes, int size_count) {
  int s = 0;
  while (s + 1 < size_count && window >= sizes[s + 1].first) ++s;
  return s;
}

// Left and top edge of a window of that size.
int2 corner_of(uint window, struct WindowLayout size, global const int* edges) {
  const int place = window - size.first;
  return (int2)(edges[size.xs + place % size.columns], edges[size.ys + place / size.columns]);
}

float4 box_of(uint window, global const struct WindowLayout* sizes, int size_count,
              global const int* edges) {
  const struct WindowLayout size = sizes[size_of(window, sizes, size_count)];
  const int2 corner = corner_of(window, size, edges);
  return (float4)(corner.x, corner.y, size.width, size.height);
}
