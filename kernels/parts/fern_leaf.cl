// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: training of the ferns, see lib/ops/ferns/fern_update.h.
#include "parts/fern_values.cl"

bool is_mistake(uint score, bool positive, uint positive_score, uint negative_score) {
  return positive ? score <= positive_score : score >= negative_score;
}

ushort posterior_of(uint p, uint n) {
  // 64 bits take several times as long, and are seldom needed.
  if (p < 1u << 16 && n < 1u << 16) return (ushort)(p * POSTERIOR_ONE / (p + n));
  return (ushort)((ulong)p * POSTERIOR_ONE / ((ulong)p + (ulong)n));
}

// Returns its new posterior.
ushort count_leaf(uint leaf, bool positive, global int* positives, global int* negatives,
                  global ushort* posteriors) {
  const int p = positives[leaf] + (positive ? 1 : 0);
  const int n = negatives[leaf] + (positive ? 0 : 1);
  positives[leaf] = p;
  negatives[leaf] = n;
  const ushort posterior = posterior_of(p, n);
  posteriors[leaf] = posterior;
  return posterior;
}
