// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: a patch as it lies in memory, see lib/ops/patches/patch.h.
#include "kernel_types.h"

#define SIDE CLTRACK_PATCH_SIDE
#define PIXELS (SIDE * SIDE)
#define STRIDE CLTRACK_PATCH_STRIDE

// Of all lanes.
int sum_of(int16 v) {
  const int8 eight = v.lo + v.hi;
  const int4 four = eight.lo + eight.hi;
  return four.x + four.y + four.z + four.w;
}

struct Patch {
  short pixels[STRIDE];
  float norm;
  int unused[7];
};
