// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes the sums of all objects into the history, see lib/ops/color/color_history.h.
#include "kernel_types.h"

kernel void color_history(global const struct ColorSum* sums, int objects, int slot, int length,
                          global struct ColorSum* ring) {
  const int object = get_global_id(0);
  if (object < objects) ring[(size_t)object * length + slot] = sums[object];
}
