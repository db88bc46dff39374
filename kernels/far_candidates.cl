// SPDX-License-Identifier: LGPL-2.1-or-later
// Which candidates are far from a box and worth learning from, see lib/ops/far_candidates.h. All
// groups judge candidates; then far_places.cl or, on CPUs, far_places_serial.cl gives them their
// places, because they come out in order.
#include "candidate.cl"
#include "far_mark.cl"
#include "window_box.cl"

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
