// SPDX-License-Identifier: LGPL-2.1-or-later
// far_places.cl for CPUs: one work-item. In a program of its own, see fern_update_serial.cl.
#include "far_mark.cl"

kernel void place_far_serially(global const uchar* marks, global const ushort* candidate_codes,
                               global const uint* count, int ferns, int positives,
                               global ushort* codes, global uint* places, global uint* sample_count,
                               global uint* place_count) {
  for (int i = 0; i < positives; ++i) places[i] = i;
  const uint all = count[0];
  uint samples = positives;
  uint used_places = positives;
  for (uint i = 0; i < all; ++i) {
    const uchar mark = marks[i];
    if (mark & FAR) places[used_places++] = mark & LEARNT ? samples : NO_SAMPLE;
    if (!(mark & LEARNT)) continue;
    for (int f = 0; f < ferns; ++f) {
      codes[(size_t)samples * ferns + f] = candidate_codes[(size_t)i * ferns + f];
    }
    ++samples;
  }
  sample_count[0] = samples;
  place_count[0] = used_places;
}
