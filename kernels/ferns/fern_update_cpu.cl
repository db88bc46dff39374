// SPDX-License-Identifier: LGPL-2.1-or-later
// What fern_update.cl does, for CPUs: one work-item for each job.
#include "parts/fern_training.cl"

kernel void sample_order(global const struct LearnJob* jobs, global const uint* places,
                         global const uint* sample_count, global const uint* place_count,
                         int blocks, global uint* order) {
  const size_t j = get_global_id(0);
  const uint samples = sample_count[j];
  const uint all = place_count[j];
  places += jobs[j].first_sample;
  order += jobs[j].first_sample;
  const uint block = (all + blocks - 1) / blocks;
  uint next[MAX_BLOCKS + 1];  // of each block, the first sample that has not been taken yet
  uint begin[MAX_BLOCKS + 1];
  for (int b = 0; b <= blocks; ++b) {
    begin[b] = next[b] = samples_below(min(b * block, all), places, 0, samples);
  }
  for (uint i = 0; i < samples; ++i) {
    uint first = UINT_MAX;  // place within its block
    int from = 0;
    for (int b = 0; b < blocks; ++b) {
      if (next[b] == begin[b + 1] || places[next[b]] - b * block >= first) continue;
      first = places[next[b]] - b * block;
      from = b;
    }
    order[i] = next[from]++;
  }
}

kernel void update_ferns(global const struct LearnJob* jobs, global const ushort* codes,
                         global const uint* order, global const uint* sample_count, int ferns,
                         int pairs, uint negative_score, int passes, global int* positives,
                         global int* negatives, global ushort* posteriors) {
  const size_t j = get_global_id(0);
  const uint count = sample_count[j];
  const uint positive_samples = jobs[j].positives;
  const uint positive_score = jobs[j].positive_score;
  const size_t tables = (size_t)jobs[j].tables * ((size_t)ferns << pairs);
  codes += (size_t)jobs[j].first_sample * ferns;
  order += jobs[j].first_sample;
  positives += tables;
  negatives += tables;
  posteriors += tables;
  for (int pass = 0; pass < passes; ++pass) {
    for (uint i = 0; i < count; ++i) {
      const bool positive = order[i] < positive_samples;
      global const ushort* own = codes + (size_t)order[i] * ferns;
      uint score = 0;
      for (int f = 0; f < ferns; ++f) {
        // Most negatives are far below the limit.
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
