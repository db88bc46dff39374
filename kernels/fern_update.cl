// SPDX-License-Identifier: LGPL-2.1-or-later
// Teaches the ferns, see lib/ops/fern_update.h. What a sample changes depends on what the samples
// before it have changed. Most change nothing, so one work-group looks at SAMPLES of them at once:
// those before the first mistake are done, the mistake is learnt, and it looks again behind it.
// CPUs have fern_update_serial.cl.
#include "fern_leaf.cl"
#include "prefix_sum.cl"

#define SAMPLES 16
#define FERNS 16  // at most

// The place that is visited as number i, where `all` of them are cut into blocks of `block`.
uint place_of(uint i, uint all, uint block) {
  // `longer` of the rounds visit one place more than the others.
  const uint each = all / block;
  const uint longer = all % block;
  const uint rest = i - longer * (each + 1);
  return i < longer * (each + 1) ? i / (each + 1) + i % (each + 1) * block
                                 : longer + rest / each + rest % each * block;
}

// The samples that `places` name, without the empty ones, block by block: of each `blocks`th part
// of the places the first, then of each the second, and so on. One work-group, each item makes a
// part of that order.
kernel void sample_order(global const uint* places, global const uint* place_count, int blocks,
                         global uint* order, global uint* order_count) {
  local uint sums[MAX_ITEMS];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  const uint all = place_count[0];
  const uint block = (all + blocks - 1) / blocks;
  const uint share = (all + items - 1) / items;
  const uint begin = min(item * share, all);
  const uint end = min(begin + share, all);
  uint own = 0;
  for (uint i = begin; i < end; ++i) own += places[place_of(i, all, block)] != NO_SAMPLE ? 1 : 0;
  uint next = sum_up_to(own, sums) - own;
  for (uint i = begin; i < end; ++i) {
    const uint sample = places[place_of(i, all, block)];
    if (sample != NO_SAMPLE) order[next++] = sample;
  }
  if (item == items - 1) order_count[0] = next;  // it has come to the end
}

// One work-group of FERNS x SAMPLES items.
kernel void update_ferns(global const ushort* codes, int positive_samples, global const uint* order,
                         global const uint* order_count, int ferns, int pairs, uint positive_score,
                         uint negative_score, int passes, global int* positives,
                         global int* negatives, global ushort* posteriors) {
  local uint parts[SAMPLES][FERNS];
  local int mistake;
  const int f = get_local_id(0);
  const int row = get_local_id(1);
  const int count = order_count[0];
  for (int pass = 0; pass < passes; ++pass) {
    for (int next = 0; next < count;) {
      const bool exists = next + row < count;
      const uint sample = exists ? order[next + row] : 0;
      const bool positive = sample < (uint)positive_samples;
      const bool looks = exists && f < ferns;
      const uint leaf = looks ? (uint)f << pairs | codes[(size_t)sample * ferns + f] : 0;
      parts[row][f] = looks ? posteriors[leaf] : 0;
      if (f == 0 && row == 0) mistake = SAMPLES;
      // Posteriors have been read here before some are written below.
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      if (f == 0 && exists) {
        uint score = 0;
        for (int i = 0; i < FERNS; ++i) score += parts[row][i];
        if (is_mistake(score, positive, positive_score, negative_score)) atomic_min(&mistake, row);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      const int found = mistake;
      if (row == found && looks) count_leaf(leaf, positive, positives, negatives, posteriors);
      next += min(found + 1, SAMPLES);
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    }
  }
}
