// SPDX-License-Identifier: LGPL-2.1-or-later
// Which candidates are far from a box and worth learning from, see lib/ops/far_candidates.h. All
// groups judge candidates; then one gives them their places, because they come out in order.
#include "candidate.cl"
#include "prefix_sum.cl"
#include "window_box.cl"

#define POSTERIOR_ONE (1u << 15)
#define MAX_LEAVES (16 << 13)
#define NO_SAMPLE UINT_MAX
// What mark_far() says of a candidate.
#define FAR 1
#define LEARNT 2

#define MAX_ITEMS 1024

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

// marks: for each candidate 0, FAR, or FAR | LEARNT. Any number of groups.
kernel void mark_far(global const struct Candidate* candidates,
                     global const ushort* candidate_codes, global const uint* count,
                     global const struct WindowLayout* sizes, int size_count,
                     global const int* edges, float4 box, float maximum_overlap, int ferns,
                     int pairs, uint negative_score, int positives, global const ushort* codes,
                     global uchar* marks) {
  local uint raised[MAX_LEAVES / 32];
  const int item = get_local_id(0);
  const int items = get_local_size(0);

  // The leaves that the positives reach: their posteriors may rise.
  const int words = ((ferns << pairs) + 31) / 32;
  for (int i = item; i < words; i += items) raised[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < positives * ferns; i += items) {
    const uint leaf = (uint)(i % ferns) << pairs | codes[i];
    atomic_or(&raised[leaf / 32], 1u << (leaf % 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint all = count[0];
  for (uint i = get_global_id(0); i < all; i += get_global_size(0)) {
    const struct Candidate candidate = candidates[i];
    uchar mark = 0;
    if (overlap(box, box_of(candidate.window, sizes, size_count, edges)) < maximum_overlap) {
      global const ushort* own = candidate_codes + (size_t)i * ferns;
      uint score = candidate.score;
      for (int f = 0; f < ferns && score < negative_score; ++f) {
        const uint leaf = (uint)f << pairs | own[f];
        if (raised[leaf / 32] >> (leaf % 32) & 1) score += POSTERIOR_ONE;
      }
      mark = score >= negative_score ? FAR | LEARNT : FAR;
    }
    marks[i] = mark;
  }
}

// For GPUs: one group. Each item has as many candidates that follow on one another.
kernel void place_far(global const uchar* marks, global const ushort* candidate_codes,
                      global const uint* count, int ferns, int positives, global ushort* codes,
                      global uint* places, global uint* sample_count, global uint* place_count) {
  local uint far_sums[MAX_ITEMS];
  local uint learnt_sums[MAX_ITEMS];
  const uint item = get_local_id(0);
  const uint items = get_local_size(0);
  for (int i = item; i < positives; i += items) places[i] = i;

  const uint all = count[0];
  const uint share = (all + items - 1) / items;
  const uint begin = min(item * share, all);
  const uint end = min(begin + share, all);
  uint far = 0;
  uint learnt = 0;
  for (uint i = begin; i < end; ++i) {
    far += marks[i] & FAR ? 1 : 0;
    learnt += marks[i] & LEARNT ? 1 : 0;
  }
  uint place = positives + sum_up_to(far, far_sums) - far;
  uint sample = positives + sum_up_to(learnt, learnt_sums) - learnt;
  for (uint i = begin; i < end; ++i) {
    const uchar mark = marks[i];
    if (mark & FAR) places[place++] = mark & LEARNT ? sample : NO_SAMPLE;
    if (!(mark & LEARNT)) continue;
    for (int f = 0; f < ferns; ++f) {
      codes[(size_t)sample * ferns + f] = candidate_codes[(size_t)i * ferns + f];
    }
    ++sample;
  }
  // The last item has come to the end.
  if (item == items - 1) {
    sample_count[0] = sample;
    place_count[0] = place;
  }
}

// For CPUs: one work-item.
kernel void place_far_serially(global const uchar* marks, global const ushort* candidate_codes,
                               global const uint* count, int ferns, int positives,
                               global ushort* codes, global uint* places, global uint* sample_count,
                               global uint* place_count) {
  for (int i = 0; i < positives; ++i) places[i] = i;
  const uint all = count[0];
  uint samples = positives;
  uint used_places = positives;
  for (uint i = 0; i < all; ++i) {
    const uchar mark = marks[i];
    if (mark & FAR) places[used_places++] = mark & LEARNT ? samples : NO_SAMPLE;
    if (!(mark & LEARNT)) continue;
    for (int f = 0; f < ferns; ++f) {
      codes[(size_t)samples * ferns + f] = candidate_codes[(size_t)i * ferns + f];
    }
    ++samples;
  }
  sample_count[0] = samples;
  place_count[0] = used_places;
}
