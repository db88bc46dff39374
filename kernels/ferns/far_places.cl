// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives the candidates that far_candidates.cl has marked their places, see
// lib/ops/ferns/far_candidates.h. Its groups are those of mark_far(), of MAX_GROUP items at most.
#include "parts/fern_training.cl"
#include "parts/prefix_sum.cl"

#define MAX_GROUP CLTRACK_FAR_ITEMS

kernel void place_far(global const uchar* marks, global const uint* mark_counts,
                      global const uint2* ranges, global const ushort* candidate_codes,
                      global const struct LearnJob* jobs, int ferns, global ushort* codes,
                      global uint* places, global uint* sample_count, global uint* place_count) {
  local uint2 sums[MAX_GROUP];
  local uint before[2];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  const uint group = get_group_id(0);
  const uint j = get_group_id(1);
  const uint first_sample = jobs[j].first_sample;
  const uint positives = jobs[j].positives;
  const uint2 range = ranges[j];
  marks += first_sample;
  mark_counts += 2 * (size_t)j * get_num_groups(0);
  candidate_codes += (size_t)range.x * ferns;
  codes += (size_t)first_sample * ferns;
  places += first_sample;
  for (uint i = get_global_id(0); i < positives; i += get_global_size(0)) places[i] = i;

  if (item < 2) before[item] = positives;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = item; i < 2 * group; i += items) atomic_add(&before[i % 2], mark_counts[i]);

  // Each item has as many consecutive candidates.
  const uint2 all = share_of_group(range.y - range.x, group, get_num_groups(0));
  const uint share = (all.y - all.x + items - 1) / items;
  const uint begin = min(all.x + item * share, all.y);
  const uint end = min(begin + share, all.y);
  uint2 own = 0;  // places and samples
  for (uint i = begin; i < end; ++i) {
    own.x += marks[i] & FAR ? 1 : 0;
    own.y += marks[i] & LEARNT ? 1 : 0;
  }
  uint2 next = sums_up_to(own, sums) - own + (uint2)(before[0], before[1]);
  place_marked(marks, candidate_codes, ferns, begin, end, &next, codes, places);
  // The last item of the job has the totals.
  if (group == get_num_groups(0) - 1 && item == items - 1) {
    place_count[j] = next.x;
    sample_count[j] = next.y;
  }
}
