// SPDX-License-Identifier: LGPL-2.1-or-later
// fern_update.cl for CPUs: one work-item each. In a program of its own, because compilers for CPUs
// take long over the barriers of the other.
#include "fern_leaf.cl"

kernel void sample_order_serially(global const uint* places, global const uint* place_count,
                                  int blocks, global uint* order, global uint* order_count) {
  const uint all = place_count[0];
  const uint block = (all + blocks - 1) / blocks;
  uint count = 0;
  for (uint first = 0; first < block; ++first) {
    for (uint place = first; place < all; place += block) {
      if (places[place] != NO_SAMPLE) order[count++] = places[place];
    }
  }
  order_count[0] = count;
}

kernel void update_ferns_serially(global const ushort* codes, int positive_samples,
                                  global const uint* order, global const uint* order_count,
                                  int ferns, int pairs, uint positive_score, uint negative_score,
                                  int passes, global int* positives, global int* negatives,
                                  global ushort* posteriors) {
  const uint count = order_count[0];
  for (int pass = 0; pass < passes; ++pass) {
    for (uint i = 0; i < count; ++i) {
      const bool positive = order[i] < (uint)positive_samples;
      global const ushort* own = codes + (size_t)order[i] * ferns;
      uint score = 0;
      for (int f = 0; f < ferns; ++f) {
        // Most negatives are far from the limit, which shows early.
        if (!positive && score + (ferns - f) * POSTERIOR_ONE < negative_score) break;
        score += posteriors[(uint)f << pairs | own[f]];
      }
      if (!is_mistake(score, positive, positive_score, negative_score)) continue;
      for (int f = 0; f < ferns; ++f) {
        count_leaf((uint)f << pairs | own[f], positive, positives, negatives, posteriors);
      }
    }
  }
}
