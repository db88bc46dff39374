// SPDX-License-Identifier: LGPL-2.1-or-later
// The mean of a plane, rounded, out of its integral image.
#include "kernel_types.h"

int plane_level(global const uint* sums, int width, int height) {
  const uint pixels = (uint)width * height;
  const size_t last = (size_t)(width + 1) * (height + 1) - 1;
  return (sums[last] + pixels / 2) / pixels;
}
