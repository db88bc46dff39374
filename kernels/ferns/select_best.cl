// SPDX-License-Identifier: LGPL-2.1-or-later
// The best candidates of each job of a scan, see lib/ops/ferns/scan.h, by a work-group each.
// Mostly all candidates with the least score fit into local memory and are sorted there. Where
// there are more, histograms of their keys, digit by digit, give a key from which on they fit.
#include "parts/candidate.cl"
#include "parts/prefix_sum.cl"

#define MAX_ITEMS CLTRACK_SELECT_KEYS  // of the work-group
#define MAX_BEST CLTRACK_SELECT_KEYS   // at least 4 more than CLTRACK_MAX_BEST
#define DIGIT 10
#define BINS (1 << DIGIT)

// Higher is better: by score, then by lower window. No two candidates have the same. Scores are at
// most 16 * 2^15, so that they have 20 bits.
#define KEY_BITS 52
ulong key_of(struct Candidate candidate) {
  return (ulong)candidate.score << 32 | ~candidate.window;
}

// Appends the keys from `limit` on in any order, for as long as there is room. Returns how many
// there are.
uint collect(global const struct Candidate* candidates, uint all, ulong limit, local ulong* keys,
             local uint* count) {
  if (get_local_id(0) == 0) *count = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < all; i += get_local_size(0)) {
    const ulong key = key_of(candidates[i]);
    if (key < limit) continue;
    const uint slot = atomic_inc(count);
    if (slot < MAX_BEST) keys[slot] = key;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  return *count;
}

// Adds up the bins from the highest until they reach `wanted`: found[0] is the last one, found[1]
// the sum of those above it. Writes nothing if all bins are fewer. sums has MAX_ITEMS entries.
void find_bin(local uint* bins, uint wanted, local uint* sums, local uint* found) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int share = (BINS + items - 1) / items;
  const int end = max(BINS - item * share, 0);
  const int begin = max(end - share, 0);
  uint sum = 0;
  for (int b = begin; b < end; ++b) sum += bins[b];
  const uint reached = sum_up_to(sum, sums);
  uint above = reached - sum;
  if (above < wanted && reached >= wanted) {
    int b = end - 1;
    while (above + bins[b] < wanted) above += bins[b--];
    found[0] = b;
    found[1] = above;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
}

// Work-group j does job j.
kernel void select_best(global const struct Candidate* candidates, global const uint* count,
                        global const struct ScanJob* jobs, int wanted,
                        global const struct WindowLayout* sizes, global const int* edges,
                        global struct Candidate* best, global float4* boxes,
                        global uint* best_count, global uint* all_counts) {
  local uint bins[BINS];
  local uint sums[MAX_ITEMS];
  local ulong keys[MAX_BEST];
  local uint found[2];
  local uint slots;
  local uint range[2];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  const struct ScanJob job = jobs[get_group_id(0)];
  if (item < 2) {
    // One job alone has them all.
    range[item] = get_num_groups(0) == 1
                      ? item * count[0]
                      : candidates_before(job.first + item * job.count, candidates, count[0]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  candidates += range[0];
  const uint all = range[1] - range[0];
  sizes += job.first_size;
  best += get_group_id(0) * wanted;
  boxes += get_group_id(0) * wanted;

  const ulong least = (ulong)job.least_score << 32;
  uint kept = collect(candidates, all, least, keys, &slots);
  // The digits of the limit found so far, those before bit `shift`, and how many keys have greater
  // ones.
  ulong digits = 0;
  int shift = KEY_BITS;
  uint above = 0;
  // Keys that differ in the last digit alone are four at most.
  while (kept > MAX_BEST) {
    for (uint b = item; b < BINS; b += items) bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = item; i < all; i += items) {
      const ulong key = key_of(candidates[i]);
      if (key < least || key >> shift != digits) continue;
      atomic_inc(&bins[key >> (shift - DIGIT) & (BINS - 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    find_bin(bins, wanted - above, sums, found);
    shift -= DIGIT;
    digits = digits << DIGIT | found[0];
    above += found[1];
    if (above + bins[found[0]] <= MAX_BEST) {
      kept = collect(candidates, all, max(least, digits << shift), keys, &slots);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  // Bitonic, descending.
  uint size = 1;
  while (size < kept) size *= 2;
  for (uint i = kept + item; i < size; i += items) keys[i] = 0;
  for (uint block = 2; block <= size; block *= 2) {
    for (uint step = block / 2; step > 0; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (uint i = item; i < size / 2; i += items) {
        const uint a = i / step * 2 * step + i % step;
        const uint b = a + step;
        const ulong low = min(keys[a], keys[b]);
        const ulong top = max(keys[a], keys[b]);
        const bool descending = (a & block) == 0;
        keys[a] = descending ? top : low;
        keys[b] = descending ? low : top;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < (uint)wanted; i += items) {
    const bool used = i < kept;
    best[i].window = used ? ~(uint)keys[i] : UINT_MAX;
    best[i].score = used ? (uint)(keys[i] >> 32) : 0;
    boxes[i] = used ? box_of(~(uint)keys[i], sizes, job.size_count, edges) : (float4)(0);
  }
  if (item == 0) {
    best_count[get_group_id(0)] = min(kept, (uint)wanted);
    all_counts[get_group_id(0)] = all;
  }
}
