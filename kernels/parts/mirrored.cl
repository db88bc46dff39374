// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels. Pictures mirror at their border without repeating it.
#include "kernel_types.h"

// The pixel that stands for pixel `i` of `n`, which may be far outside.
int mirrored(int i, int n) {
  if (i >= 0 && i < n) return i;
  if (n == 1) return 0;
  const int period = 2 * (n - 1);
  const int phase = abs(i) % period;
  return min(phase, period - phase);
}
