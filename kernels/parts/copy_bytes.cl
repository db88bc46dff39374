// SPDX-License-Identifier: LGPL-2.1-or-later
// Small copies between arrays and the memory in which a device's commands of a time are sent and
// answered, see lib/compute/batch.h.
#include "kernel_types.h"

kernel void copy_bytes(global const uchar* from, global uchar* to, uint bytes) {
  const uint item = get_global_id(0);
  const uint items = get_global_size(0);
  if ((((size_t)from | (size_t)to) & 3) == 0) {
    for (uint i = item; i < bytes / 4; i += items) {
      ((global uint*)to)[i] = ((global const uint*)from)[i];
    }
    for (uint i = bytes / 4 * 4 + item; i < bytes; i += items) to[i] = from[i];
  } else {
    for (uint i = item; i < bytes; i += items) to[i] = from[i];
  }
}
