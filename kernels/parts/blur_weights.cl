// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: the taps of lib/ops/planes/blur.h.
#include "kernel_types.h"

#define RADIUS CLTRACK_BLUR_RADIUS
#define TAPS (2 * RADIUS + 1)

constant ushort kWeights[RADIUS + 1] = CLTRACK_BLUR_WEIGHTS;  // from the centre on
