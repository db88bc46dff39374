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
