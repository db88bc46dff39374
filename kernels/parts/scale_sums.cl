// SPDX-License-Identifier: LGPL-2.1-or-later
// Factors and the order of sums of the scale filter, see lib/ops/filter/scale_filter.h.
#include "filter_types.h"

#define SCALES CLTRACK_SCALES
#define BINS CLTRACK_SCALE_BINS
#define VALUES CLTRACK_SCALE_VALUES
#define LANES CLTRACK_SCALE_LANES

constant float hann[SCALES] = CLTRACK_SCALE_HANN;
constant float turn_cos[SCALES] = CLTRACK_SCALE_COS;
constant float turn_sin[SCALES] = CLTRACK_SCALE_SIN;

// Adds up the lanes of `count` sums, one behind the other, with all work-items of a group: each sum
// is then in its first lane, for all of them to see.
void add_lanes(local float* sums, int count) {
  for (int rest = LANES / 2; rest > 0; rest /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_local_id(0); i < count * rest; i += get_local_size(0)) {
      local float* lane = sums + i / rest * LANES + i % rest;
      lane[0] += lane[rest];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}
