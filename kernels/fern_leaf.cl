// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: how the ferns are taught, see lib/ops/fern_update.h.
#include "fern_values.cl"

bool is_mistake(uint score, bool positive, uint positive_score, uint negative_score) {
  return positive ? score <= positive_score : score >= negative_score;
}

void count_leaf(uint leaf, bool positive, global int* positives, global int* negatives,
                global ushort* posteriors) {
  const int p = positives[leaf] + (positive ? 1 : 0);
  const int n = negatives[leaf] + (positive ? 0 : 1);
  positives[leaf] = p;
  negatives[leaf] = n;
  posteriors[leaf] = (ushort)((ulong)p * POSTERIOR_ONE / ((ulong)p + (ulong)n));
}
