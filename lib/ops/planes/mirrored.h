// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures that mirror at their border without repeating it, as in kernels/parts/mirrored.cl.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace cltrack {

// The pixel that stands for pixel `i` of `n`, which may be far outside.
inline int mirrored(int i, int n) {
  if (i >= 0 && i < n) return i;
  if (n == 1) return 0;
  const int period = 2 * (n - 1);
  const int phase = std::abs(i) % period;
  return std::min(phase, period - phase);
}

}  // namespace cltrack
