// SPDX-License-Identifier: LGPL-2.1-or-later
// far_places.cl for CPUs: one work-item. In a program of its own, see fern_update_serial.cl.
#include "parts/far_mark.cl"

kernel void place_far_serially(global const uchar* marks, global const ushort* candidate_codes,
                               global const uint* count, int ferns, int positives,
                               global ushort* codes, global uint* places, global uint* sample_count,
                               global uint* place_count) {
  for (int i = 0; i < positives; ++i) places[i] = i;
  uint2 next = (uint)positives;
  place_marked(marks, candidate_codes, ferns, 0, count[0], &next, codes, places);
  place_count[0] = next.x;
  sample_count[0] = next.y;
}
