// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: constants of lib/ops/ferns/fern_tables.h.
#include "kernel_types.h"

#define POSTERIOR_ONE CLTRACK_POSTERIOR_ONE

// Part of other kernels: training of the ferns, see lib/ops/ferns/fern_tables.h.
bool is_mistake(uint score, bool positive, uint positive_score, uint negative_score) {
  return positive ? score <= positive_score : score >= negative_score;
}

// Returns its new posterior.
ushort count_leaf(uint leaf, bool positive, global struct LeafCount* counts,
                  global ushort* posteriors) {
  const struct LeafCount before = counts[leaf];
  uint p = before.positives + (positive ? 1 : 0);
  uint n = before.negatives + (positive ? 0 : 1);
  if (max(p, n) > USHRT_MAX) {
    p = (p + 1) / 2;
    n = (n + 1) / 2;
  }
  struct LeafCount count;
  count.positives = (ushort)p;
  count.negatives = (ushort)n;
  counts[leaf] = count;
  const ushort posterior = (ushort)(p * POSTERIOR_ONE / (p + n));
  posteriors[leaf] = posterior;
  return posterior;
}

// Part of other kernels: samples by their places, see lib/ops/ferns/fern_tables.h.
#define MAX_BLOCKS CLTRACK_MAX_BLOCKS

// How many samples have a place before `place`: a number from `begin` to `end`.
uint samples_below(uint place, global const uint* places, uint begin, uint end) {
  while (begin < end) {
    const uint middle = begin + (end - begin) / 2;
    if (places[middle] < place) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

// Part of other kernels: the marks that mark_far() gives candidates.
#define FAR 1
#define LEARNT 2

// The share of a group, of so many, in the candidates of a job: those from .x up to .y.
uint2 share_of_group(uint all, uint group, uint groups) {
  const uint share = (all + groups - 1) / groups;
  const uint begin = min(group * share, all);
  return (uint2)(begin, min(begin + share, all));
}

// Makes samples of those of the job's candidates from `begin` to `end` that are learnt. next->x
// counts places, next->y samples.
void place_marked(global const uchar* marks, global const ushort* candidate_codes, int ferns,
                  uint begin, uint end, uint2* next, global ushort* codes, global uint* places) {
  for (uint i = begin; i < end; ++i) {
    const uchar mark = marks[i];
    if (mark & LEARNT) {
      for (int f = 0; f < ferns; ++f) {
        codes[(size_t)next->y * ferns + f] = candidate_codes[(size_t)i * ferns + f];
      }
      places[next->y++] = next->x;
    }
    next->x += mark & FAR ? 1 : 0;
  }
}
