// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives the candidates that far_candidates.cl has marked their places, see
// lib/ops/far_candidates.h.
#include "far_mark.cl"
#include "prefix_sum.cl"

#define MAX_ITEMS 1024

// One group. Each item has as many candidates that follow on one another.
kernel void place_far(global const uchar* marks, global const ushort* candidate_codes,
                      global const uint* count, int ferns, int positives, global ushort* codes,
                      global uint* places, global uint* sample_count, global uint* place_count) {
  local uint far_sums[MAX_ITEMS];
  local uint learnt_sums[MAX_ITEMS];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  for (int i = item; i < positives; i += items) places[i] = i;

  const uint all = count[0];
  const uint share = (all + items - 1) / items;
  const uint begin = min(item * share, all);
  const uint end = min(begin + share, all);
  uint far = 0;
  uint learnt = 0;
  for (uint i = begin; i < end; ++i) {
    far += marks[i] & FAR ? 1 : 0;
    learnt += marks[i] & LEARNT ? 1 : 0;
  }
  uint place = positives + sum_up_to(far, far_sums) - far;
  uint sample = positives + sum_up_to(learnt, learnt_sums) - learnt;
  for (uint i = begin; i < end; ++i) {
    const uchar mark = marks[i];
    if (mark & FAR) places[place++] = mark & LEARNT ? sample : NO_SAMPLE;
    if (!(mark & LEARNT)) continue;
    for (int f = 0; f < ferns; ++f) {
      codes[(size_t)sample * ferns + f] = candidate_codes[(size_t)i * ferns + f];
    }
    ++sample;
  }
  // The last item has come to the end.
  if (item == items - 1) {
    sample_count[0] = sample;
    place_count[0] = place;
  }
}
