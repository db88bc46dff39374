// SPDX-License-Identifier: LGPL-2.1-or-later
// What select_best.cl does, for CPUs: one work-item for each job.
#include "parts/candidate.cl"

#define DIGIT 10
#define BINS (1 << DIGIT)
#define MAX_BEST CLTRACK_SELECT_KEYS

// Adds up the bins from the highest until they reach `wanted`. Returns the last one and subtracts
// those above it from `wanted`; -1 if all bins are fewer.
int find_bin(const uint* bins, uint* wanted) {
  for (int b = BINS - 1; b >= 0; --b) {
    if (bins[b] >= *wanted) return b;
    *wanted -= bins[b];
  }
  return -1;
}

kernel void select_best(global const struct Candidate* candidates, global const uint* count,
                        global const struct ScanJob* jobs, int job_count, int wanted,
                        global const struct WindowLayout* sizes, global const int* edges,
                        global struct Candidate* best, global float4* boxes,
                        global uint* best_count) {
  uint bins[BINS];
  ulong keys[MAX_BEST];
  const int j = get_global_id(0);
  if (j >= job_count) return;
  const struct ScanJob job = jobs[j];
  const uint begin = candidates_before(job.first, candidates, count[0]);
  const uint all = candidates_before(job.first + job.count, candidates, count[0]) - begin;
  candidates += begin;
  sizes += job.first_size;
  best += (size_t)j * wanted;
  boxes += (size_t)j * wanted;
  for (int b = 0; b < BINS; ++b) bins[b] = 0;
  for (uint i = 0; i < all; ++i) {
    const uint score = candidates[i].score;
    if (score >= job.least_score) ++bins[score >> DIGIT];
  }
  // Scores over `limit` are kept, and of those equal to it the first `ties`.
  uint ties = wanted;
  uint limit = job.least_score;
  const int high = find_bin(bins, &ties);
  if (high >= 0) {
    for (int b = 0; b < BINS; ++b) bins[b] = 0;
    for (uint i = 0; i < all; ++i) {
      const uint score = candidates[i].score;
      if (score >= job.least_score && score >> DIGIT == (uint)high) ++bins[score & (BINS - 1)];
    }
    limit = (uint)high << DIGIT | (uint)find_bin(bins, &ties);
  } else {
    ties = wanted;
  }

  int kept = 0;
  for (uint i = 0; i < all && kept < wanted; ++i) {
    const struct Candidate candidate = candidates[i];
    if (candidate.score < limit || (candidate.score == limit && ties == 0)) continue;
    if (candidate.score == limit) --ties;
    // Higher is better: by score, then by lower window.
    keys[kept++] = (ulong)candidate.score << 32 | ~candidate.window;
  }
  // Shell's sort, descending.
  for (int gap = MAX_BEST / 2 - 1; gap > 0; gap /= 2) {
    for (int i = gap; i < kept; ++i) {
      const ulong key = keys[i];
      int at = i;
      for (; at >= gap && keys[at - gap] < key; at -= gap) keys[at] = keys[at - gap];
      keys[at] = key;
    }
  }
  for (int i = 0; i < wanted; ++i) {
    best[i].window = UINT_MAX;
    best[i].score = 0;
    boxes[i] = (float4)(0);
    if (i >= kept) continue;
    const uint window = ~(uint)keys[i];
    best[i].window = window;
    best[i].score = (uint)(keys[i] >> 32);
    boxes[i] = box_of(window, sizes, job.size_count, edges);
  }
  best_count[j] = kept;
}
