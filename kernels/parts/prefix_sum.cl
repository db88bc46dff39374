// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: sums over the items of a work-group.
#include "kernel_types.h"

// The sum of `value` of all items up to this one, included. `sums` has an entry for each item,
// which is that item's result afterwards.
#define SUM_UP_TO(name, Type)                                  \
  Type name(Type value, local Type* sums) {                    \
    const int item = get_local_id(0);                          \
    const int items = get_local_size(0);                       \
    sums[item] = value;                                        \
    barrier(CLK_LOCAL_MEM_FENCE);                              \
    for (int step = 1; step < items; step *= 2) {              \
      const Type other = item >= step ? sums[item - step] : 0; \
      barrier(CLK_LOCAL_MEM_FENCE);                            \
      sums[item] += other;                                     \
      barrier(CLK_LOCAL_MEM_FENCE);                            \
    }                                                          \
    return sums[item];                                         \
  }

SUM_UP_TO(sum_up_to, uint)
SUM_UP_TO(sums_up_to, uint2)
