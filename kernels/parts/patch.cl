// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: a patch as it lies in memory, see lib/ops/patches/extract_patches.h.
#include "kernel_types.h"

#define SIDE CLTRACK_PATCH_SIDE
#define PIXELS (SIDE * SIDE)
#define STRIDE CLTRACK_PATCH_STRIDE

struct Patch {
  short pixels[STRIDE];
  float norm;
  int unused[7];
};

// Part of other kernels: the rows or columns of output pixels of a box, see
// lib/ops/patches/extract_patches.h. The same float operations as reference::make_patch_axis(), in
// the same order.
#define ROW_BITS CLTRACK_PATCH_ROW_BITS
#define UNIT (1 << ROW_BITS)
#define WEIGHT_BITS CLTRACK_PATCH_WEIGHT_BITS

// The place of a row or a column of output pixels.
struct Axis {
  float start;
  float step;
  float widening;
  int taps;
  int low, high;  // the box's first and last pixel
};

struct Axis axis_of(float4 box, bool vertical, int width, int height, int max_taps) {
  const float length = vertical ? box.w : box.z;
  const int last_pixel = (vertical ? height : width) - 1;
  struct Axis axis;
  axis.start = vertical ? box.y : box.x;
  axis.step = length / SIDE;
  axis.widening = fmax(1.0f, axis.step);
  axis.taps = min((int)ceil(4 * axis.widening) + 1, max_taps);
  axis.low = clamp((int)floor(axis.start), 0, last_pixel);
  axis.high = clamp((int)ceil(axis.start + length) - 1, axis.low, last_pixel);
  return axis;
}
