// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: what mark_far() says of a candidate, and what follows from it.
#include "fern_values.cl"

#define FAR 1
#define LEARNT 2

// Gives the candidates from `begin` to `end` their places and those that are learnt their codes,
// from place next->x and sample next->y on; *next becomes what is behind them.
void place_marked(global const uchar* marks, global const ushort* candidate_codes, int ferns,
                  uint begin, uint end, uint2* next, global ushort* codes, global uint* places) {
  for (uint i = begin; i < end; ++i) {
    const uchar mark = marks[i];
    if (mark & FAR) places[next->x++] = mark & LEARNT ? next->y : NO_SAMPLE;
    if (!(mark & LEARNT)) continue;
    for (int f = 0; f < ferns; ++f) {
      codes[(size_t)next->y * ferns + f] = candidate_codes[(size_t)i * ferns + f];
    }
    ++next->y;
  }
}
