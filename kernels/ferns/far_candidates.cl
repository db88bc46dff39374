// SPDX-License-Identifier: LGPL-2.1-or-later
// Which candidates are far from a box and worth learning from, see lib/ops/ferns/far_candidates.h.
// All groups judge candidates; then far_places.cl or, on CPUs, far_places_serial.cl gives them
// their places, because they come out in order.
#include "parts/candidate.cl"
#include "parts/far_mark.cl"
#include "parts/window_box.cl"

#define MAX_LEAVES (16 << 13)

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

// marks: for each candidate 0, FAR, or FAR | LEARNT. mark_counts: for each of any number of groups,
// how many of its candidates are FAR, and how many are LEARNT.
kernel void mark_far(global const struct Candidate* candidates,
                     global const ushort* candidate_codes, global const uint* count,
                     global const struct WindowLayout* sizes, int size_count,
                     global const int* edges, float4 box, float maximum_overlap, int ferns,
                     int pairs, uint negative_score, int positives, global const ushort* codes,
                     global uchar* marks, global uint* mark_counts) {
  local uint raised[MAX_LEAVES / 32];
  local uint counts[2];
  const int item = get_local_id(0);
  const int items = get_local_size(0);

  // The leaves that the positives reach: their posteriors may rise.
  const int words = ((ferns << pairs) + 31) / 32;
  for (int i = item; i < words; i += items) raised[i] = 0;
  if (item == 0) counts[0] = counts[1] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < positives * ferns; i += items) {
    const uint leaf = (uint)(i % ferns) << pairs | codes[i];
    atomic_or(&raised[leaf / 32], 1u << (leaf % 32));
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const uint2 all = share_of_group(count[0]);
  uint far = 0, learnt = 0;
  for (uint i = all.x + item; i < all.y; i += items) {
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
    far += mark & FAR ? 1 : 0;
    learnt += mark & LEARNT ? 1 : 0;
  }
  if (far > 0) atomic_add(&counts[0], far);
  if (learnt > 0) atomic_add(&counts[1], learnt);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    mark_counts[2 * get_group_id(0)] = counts[0];
    mark_counts[2 * get_group_id(0) + 1] = counts[1];
  }
}
