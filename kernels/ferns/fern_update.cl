// SPDX-License-Identifier: LGPL-2.1-or-later
// Training of the ferns, see lib/ops/ferns/fern_tables.h. Whether a sample is learnt depends on the
// samples that were learnt before it. Most are not, so one work-group scores as many of them at
// once as it has items. It learns the first mistake among them, updates the scores of those behind
// it, and so on until there is no mistake left.
#include "parts/fern_training.cl"

#define FERNS CLTRACK_MAX_FERNS
#define ITEMS CLTRACK_UPDATE_ITEMS
#define NO_CODE 0xffff  // codes have 13 bits

// order_samples(). Groups (g, j), any number of g, for job j, each of blocks + 1 items or more.
kernel void sample_order(global const struct LearnJob* jobs, global const uint* places,
                         global const uint* sample_count, global const uint* place_count,
                         int blocks, global uint* order) {
  local uint begin[MAX_BLOCKS + 1];  // of each block, its first sample
  const int item = get_local_id(0);
  const uint j = get_group_id(1);
  const uint samples = sample_count[j];
  const uint all = place_count[j];
  places += jobs[j].first_sample;
  order += jobs[j].first_sample;
  const uint block = (all + blocks - 1) / blocks;
  if (item <= blocks) begin[item] = samples_below(min(item * block, all), places, 0, samples);
  barrier(CLK_LOCAL_MEM_FENCE);
  uint longest = 0;
  for (int b = 0; b < blocks; ++b) longest = max(longest, begin[b + 1] - begin[b]);
  for (uint i = get_global_id(0); i < samples; i += get_global_size(0)) {
    const int own = places[i] / block;
    const uint first = places[i] % block;
    // Samples before this one: of all blocks, those with a smaller place within their block; of
    // blocks before its own, those with the same place too. All blocks are searched side by side,
    // which hides the latency of memory.
    uint from[MAX_BLOCKS], to[MAX_BLOCKS];
#pragma unroll
    for (int b = 0; b < MAX_BLOCKS; ++b) {
      from[b] = b < blocks ? begin[b] : 0;
      to[b] = b < blocks ? begin[b + 1] : 0;
    }
    for (uint steps = longest; steps > 0; steps /= 2) {
#pragma unroll
      for (int b = 0; b < MAX_BLOCKS; ++b) {
        if (from[b] == to[b]) continue;
        const uint middle = from[b] + (to[b] - from[b]) / 2;
        const uint behind = b * block + first + (b < own ? 1 : 0);
        const bool below = places[middle] < behind;
        from[b] = below ? middle + 1 : from[b];
        to[b] = below ? to[b] : middle;
      }
    }
    uint rank = 0;
#pragma unroll
    for (int b = 0; b < MAX_BLOCKS; ++b) rank += b < blocks ? from[b] - begin[b] : 0;
    order[rank] = i;
  }
}

// One work-group for each job, of FERNS to ITEMS items.
kernel void update_ferns(global const struct LearnJob* jobs, global const ushort* codes,
                         global const uint* order, global const uint* sample_count, int ferns,
                         int pairs, uint negative_score, int passes,
                         global struct LeafCount* counts, global ushort* posteriors) {
  // The samples that are scored at once: their codes, and which are positive.
  local ushort8 own_codes[ITEMS][FERNS / 8];
  local uchar is_positive[ITEMS];
  local int8 change[FERNS / 8];  // of the posteriors of the latest mistake's codes
  local int mistakes[2];         // the next one, alternately
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const uint j = get_group_id(0);
  const int count = sample_count[j];
  const uint positive_samples = jobs[j].positives;
  const uint positive_score = jobs[j].positive_score;
  const size_t tables = (size_t)jobs[j].tables * ((size_t)ferns << pairs);
  codes += (size_t)jobs[j].first_sample * ferns;
  order += jobs[j].first_sample;
  counts += tables;
  posteriors += tables;
  if (item < FERNS / 8) change[item] = 0;
  if (item < 2) mistakes[item] = items;
  int current = 0;  // of the two
  for (int pass = 0; pass < passes; ++pass) {
    for (int start = 0; start < count; start += items) {
      // Makes visible what was learnt before.
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      const bool exists = start + item < count;
      const uint sample = exists ? order[start + item] : 0;
      const bool positive = sample < positive_samples;
      ushort code[FERNS];
      uint score = 0;
#pragma unroll
      for (int f = 0; f < FERNS; ++f) {
        code[f] = exists && f < ferns ? codes[(size_t)sample * ferns + f] : NO_CODE;
      }
#pragma unroll
      for (int f = 0; f < FERNS; ++f) {
        if (code[f] != NO_CODE) score += posteriors[(uint)f << pairs | code[f]];
      }
      const ushort8 first_codes = vload8(0, code);
      const ushort8 last_codes = vload8(1, code);
#pragma unroll
      for (int f = 0; f < FERNS; ++f) {  // of ferns that there are not, no code is the same
        ((local ushort*)own_codes[item])[f] = f < ferns ? code[f] : 0;
      }
      is_positive[item] = positive ? 1 : 0;
      // Posteriors have been read for the scores before some are written below.
      barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
      for (int done = 0; done < items;) {
        if (exists && item >= done && is_mistake(score, positive, positive_score, negative_score)) {
          atomic_min(&mistakes[current], item);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        const int found = mistakes[current];
        if (found == items) break;  // for all items
        current ^= 1;
        if (item == 0) mistakes[current] = items;
        // An item learns one fern: only it reads and writes what it learns here.
        if (item < ferns) {
          const uint leaf = (uint)item << pairs | ((local const ushort*)own_codes[found])[item];
          const int before = posteriors[leaf];
          ((local int*)change)[item] =
              count_leaf(leaf, is_positive[found] != 0, counts, posteriors) - before;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        done = found + 1;
        const short8 first_same = first_codes == own_codes[found][0];
        const short8 last_same = last_codes == own_codes[found][1];
        if (any(first_same) || any(last_same)) {
          const int8 changes =
              (convert_int8(first_same) & change[0]) + (convert_int8(last_same) & change[1]);
          const int4 sums = changes.lo + changes.hi;
          score += sums.x + sums.y + sums.z + sums.w;
        }
      }
    }
  }
}
