// SPDX-License-Identifier: LGPL-2.1-or-later
// Marks the candidates that are far from a box, and those that can be learnt, see
// lib/ops/ferns/far_candidates.h. Then far_places.cl gives them their places, in order.
#include "parts/candidate.cl"
#include "parts/fern_training.cl"

#define MAX_LEAVES (CLTRACK_MAX_FERNS << CLTRACK_MAX_PAIRS)

// The same operations as overlap() on the host.
float overlap(float4 a, float4 b) {
  const float x = fmax(a.x, b.x);
  const float y = fmax(a.y, b.y);
  const float width = fmax(0.0f, fmin(a.x + a.z, b.x + b.z) - x);
  const float height = fmax(0.0f, fmin(a.y + a.w, b.y + b.w) - y);
  const float common = width * height;
  const float all = a.z * a.w + b.z * b.w - common;
  return common > 0 && all > 0 ? common / all : 0.0f;
}

// Groups (g, j), any number of g, for job j. ranges: where its candidates begin and end. marks: for
// each of them, where a sample of the job would be, 0, FAR, or FAR | LEARNT. mark_counts: for each
// group, how many of its candidates are FAR, and how many are LEARNT.
kernel void mark_far(global const struct Candidate* candidates,
                     global const ushort* candidate_codes, global const uint* count,
                     global const struct LearnJob* jobs, global const struct WindowLayout* sizes,
                     global const int* edges, float maximum_overlap, int ferns, int pairs,
                     uint negative_score, global const ushort* codes, global uchar* marks,
                     global uint* mark_counts, global uint2* ranges) {
  local uint raised[MAX_LEAVES / 32];
  local uint counts[2];
  local uint range[2];
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const struct LearnJob job = jobs[get_group_id(1)];
  sizes += job.first_size;
  codes += (size_t)job.first_sample * ferns;
  marks += job.first_sample;

  // The leaves that the positives reach: their posteriors may rise.
  const int words = ((ferns << pairs) + 31) / 32;
  for (int i = item; i < words; i += items) raised[i] = 0;
  if (item == 0) counts[0] = counts[1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  // The last items search, because the first ones are busy with codes.
  for (int i = items - 1 - item; i < 2; i += items) {
    const uint window = job.first_window + (i == 0 ? 0 : job.window_count);
    range[i] = candidates_before(window, candidates, count[0]);
  }
  for (int i = item; i < (int)job.positives * ferns; i += items) {
    const uint leaf = (uint)(i % ferns) << pairs | codes[i];
    atomic_or(&raised[leaf / 32], 1u << (leaf % 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (item == 0) range[1] = min(range[1], range[0] + job.room);
  barrier(CLK_LOCAL_MEM_FENCE);
  candidates += range[0];
  candidate_codes += (size_t)range[0] * ferns;
  const uint2 all = share_of_group(range[1] - range[0], get_group_id(0), get_num_groups(0));
  const float4 box = (float4)(job.x, job.y, job.width, job.height);
  uint far = 0, learnt = 0;
  for (uint i = all.x + item; i < all.y; i += items) {
    const struct Candidate candidate = candidates[i];
    uchar mark = 0;
    if (overlap(box, box_of(candidate.window, sizes, job.size_count, edges)) < maximum_overlap) {
      global const ushort* own = candidate_codes + (size_t)i * ferns;
      uint score = candidate.score;
      for (int f = 0; f < ferns && score < negative_score; ++f) {
        const uint leaf = (uint)f << pairs | own[f];
        if (raised[leaf / 32] >> (leaf % 32) & 1) score += POSTERIOR_ONE;
      }
      mark = score >= negative_score ? FAR | LEARNT : FAR;
    }
    marks[i] = mark;
    far += mark & FAR ? 1 : 0;
    learnt += mark & LEARNT ? 1 : 0;
  }
  if (far > 0) atomic_add(&counts[0], far);
  if (learnt > 0) atomic_add(&counts[1], learnt);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    const size_t group = get_group_id(1) * get_num_groups(0) + get_group_id(0);
    mark_counts[2 * group] = counts[0];
    mark_counts[2 * group + 1] = counts[1];
    if (get_group_id(0) == 0) ranges[get_group_id(1)] = (uint2)(range[0], range[1]);
  }
}
