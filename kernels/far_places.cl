// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives the candidates that far_candidates.cl has marked their places, see
// lib/ops/far_candidates.h.
#include "far_mark.cl"
#include "prefix_sum.cl"

// One group. Each item has as many candidates that follow on one another.
kernel void place_far(global const uchar* marks, global const ushort* candidate_codes,
                      global const uint* count, int ferns, int positives, global ushort* codes,
                      global uint* places, global uint* sample_count, global uint* place_count) {
  local uint2 sums[MAX_ITEMS];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  for (int i = item; i < positives; i += items) places[i] = i;

  const uint all = count[0];
  const uint share = (all + items - 1) / items;
  const uint begin = min(item * share, all);
  const uint end = min(begin + share, all);
  uint2 own = 0;  // places and samples
  for (uint i = begin; i < end; ++i) {
    own.x += marks[i] & FAR ? 1 : 0;
    own.y += marks[i] & LEARNT ? 1 : 0;
  }
  uint2 next = (uint)positives + sums_up_to(own, sums) - own;
  place_marked(marks, candidate_codes, ferns, begin, end, &next, codes, places);
  // The last item has come to the end.
  if (item == items - 1) {
    place_count[0] = next.x;
    sample_count[0] = next.y;
  }
}
