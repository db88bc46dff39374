// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: the marks that mark_far() gives candidates.
#include "parts/fern_values.cl"

#define FAR 1
#define LEARNT 2

// The share of this group in the candidates of a job: those from .x up to .y.
uint2 share_of_group(uint all) {
  const uint share = (all + get_num_groups(0) - 1) / get_num_groups(0);
  const uint begin = min((uint)get_group_id(0) * share, all);
  return (uint2)(begin, min(begin + share, all));
}

// Makes samples of those of the job's candidates from `begin` to `end` that are learnt. next->x
// counts places, next->y samples.
void place_marked(global const uchar* marks, global const ushort* candidate_codes, int ferns,
                  uint begin, uint end, uint2* next, global ushort* codes, global uint* places) {
  for (uint i = begin; i < end; ++i) {
    const uchar mark = marks[i];
    if (mark & LEARNT) {
      for (int f = 0; f < ferns; ++f) {
        codes[(size_t)next->y * ferns + f] = candidate_codes[(size_t)i * ferns + f];
      }
      places[next->y++] = next->x;
    }
    next->x += mark & FAR ? 1 : 0;
  }
}
