// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: a patch as it lies in memory, see lib/ops/patch.h.
#include "kernel_types.h"

#define SIDE 15
#define PIXELS (SIDE * SIDE)
#define STRIDE 240

struct Patch {
  short pixels[STRIDE];
  float norm;
  int unused[7];
};
