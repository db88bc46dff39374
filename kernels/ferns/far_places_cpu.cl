// SPDX-License-Identifier: LGPL-2.1-or-later
// What far_places.cl does, for CPUs: one work-item for each job.
#include "parts/fern_training.cl"

kernel void place_far(global const uchar* marks, global const uint2* ranges,
                      global const ushort* candidate_codes, global const struct LearnJob* jobs,
                      int ferns, global ushort* codes, global uint* places,
                      global uint* sample_count, global uint* place_count) {
  const size_t j = get_global_id(0);
  const uint first_sample = jobs[j].first_sample;
  const uint positives = jobs[j].positives;
  const uint2 range = ranges[j];
  for (uint i = 0; i < positives; ++i) places[first_sample + i] = i;
  uint2 next = positives;
  place_marked(marks + first_sample, candidate_codes + (size_t)range.x * ferns, ferns, 0,
               range.y - range.x, &next, codes + (size_t)first_sample * ferns,
               places + first_sample);
  place_count[j] = next.x;
  sample_count[j] = next.y;
}
