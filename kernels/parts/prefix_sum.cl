// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels.
#include "kernel_types.h"

// The sum of what all items of the work-group up to this one bring; sums has an entry for each, and
// holds the same of every item afterwards.
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
