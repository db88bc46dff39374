// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: samples by their places, see lib/ops/ferns/fern_update.h.
#include "kernel_types.h"

#define MAX_BLOCKS CLTRACK_MAX_BLOCKS

// How many samples have a place before `place`: a number from `begin` to `end`.
uint samples_below(uint place, global const uint* places, uint begin, uint end) {
  while (begin < end) {
    const uint middle = begin + (end - begin) / 2;
    if (places[middle] < place) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}
