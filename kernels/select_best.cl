// SPDX-License-Identifier: LGPL-2.1-or-later
// The best candidates of a scan, see lib/ops/select_best.h, by one work-group: two histograms of
// the scores give the least score that is kept, then only what is kept gets sorted.
#include "candidate.cl"
#include "marks.cl"
#include "prefix_sum.cl"
#include "window_box.cl"

// Scores are at most 16 * 2^15: two digits of ten bits.
#define DIGIT 10
#define BINS (1 << DIGIT)
#define MAX_BEST 1024

// Where the bins, added up from the highest, reach `wanted`: found[0] is the bin, found[1] what
// lies in the bins above it. Nothing is written if they do not. sums has MAX_ITEMS entries.
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

void clear(local uint* bins) {
  for (int b = get_local_id(0); b < BINS; b += get_local_size(0)) bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
}

kernel void select_best(global const struct Candidate* candidates, global const uint* count,
                        uint minimum_score, int wanted, global const struct WindowLayout* sizes,
                        int size_count, global const int* edges, global struct Candidate* best,
                        global float4* boxes, global uint* best_count) {
  local uint bins[BINS];
  local uint sums[MAX_ITEMS];
  local uint marks[MARK_WORDS];
  local ulong keys[MAX_BEST];
  local uint found[2];
  local uint kept;
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  const uint all = count[0];

  if (item == 0) {
    kept = 0;
    found[0] = BINS;
  }
  clear(bins);
  for (uint i = item; i < all; i += items) {
    const uint score = candidates[i].score;
    if (score >= minimum_score) atomic_inc(&bins[score >> DIGIT]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  find_bin(bins, wanted, sums, found);
  // Scores over `limit` are kept, and of those equal to it the first `ties`.
  uint limit = minimum_score;
  uint ties = wanted;
  const uint high = found[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (high < BINS) {
    const uint rest = wanted - found[1];
    clear(bins);
    for (uint i = item; i < all; i += items) {
      const uint score = candidates[i].score;
      if (score >= minimum_score && score >> DIGIT == high) atomic_inc(&bins[score & (BINS - 1)]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    find_bin(bins, rest, sums, found);
    limit = high << DIGIT | found[0];
    ties = rest - found[1];
  }

  for (uint i = item; i < MAX_BEST; i += items) keys[i] = 0;
  uint seen = 0;  // ties so far
  for (uint first = 0; first < all; first += items) {
    clear_marks(marks);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint i = first + item;
    const struct Candidate candidate = candidates[min(i, all - 1)];
    const bool tie = i < all && candidate.score == limit;
    if (tie) mark_item(marks);
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint seen_before = seen;
    const uint rank = seen_before + rank_of_item(marks, &seen);
    if (i < all && (candidate.score > limit || (tie && rank < ties))) {
      // Higher is better: by score, then by lower window.
      keys[atomic_inc(&kept)] = (ulong)candidate.score << 32 | ~candidate.window;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }

  // Bitonic, descending.
  uint size = 1;
  while (size < kept) size *= 2;
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
    boxes[i] = used ? box_of(~(uint)keys[i], sizes, size_count, edges) : (float4)(0);
  }
  if (item == 0) best_count[0] = kept;
}
