// SPDX-License-Identifier: LGPL-2.1-or-later
// Variance filter and ferns over all windows of a scan, see lib/ops/scan.h. Candidates are first
// written where their part of the windows has its place, counted, and then moved together: so they
// come out by rising index on every device, without sorting.
#include "prefix_sum.cl"
#include "scan_ferns.cl"

#define GROUP 256

// As scaled_variance() on the host: n^2 times the variance of n pixels, exact.
bool varied(global const uint* sums, global const ulong* squares, int stride, int x, int y,
            int width, int height, ulong minimum) {
  const size_t top = (size_t)y * stride + x;
  const size_t bottom = top + (size_t)height * stride;
  const ulong sum = (uint)(sums[bottom + width] - sums[bottom] - sums[top + width] + sums[top]);
  const ulong square =
      squares[bottom + width] - squares[bottom] - squares[top + width] + squares[top];
  return (ulong)(width * height) * square - sum * sum >= minimum;
}

// For GPUs: one work-item for each window, one work-group for each part.
kernel void scan_groups(global const uchar* pixels, struct PlaneLayout plane,
                        global const uint* sums, global const ulong* squares,
                        global const struct WindowLayout* sizes, global const int* edges,
                        global const short4* pairs, global const struct WindowPart* parts,
                        global const ushort* posteriors, uint minimum_score,
                        global struct Candidate* found, global ushort* found_codes,
                        global uint* counts) {
  local uint marks[GROUP / 32];
  const int item = get_local_id(0);
  const struct WindowPart part = parts[get_group_id(0)];
  const struct WindowLayout size = sizes[part.size];
  if (item < GROUP / 32) marks[item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  ushort codes[FERNS];
  uint score = 0;
  bool enough = false;
  const int place = part.place + item;
  if (item < part.count) {
    const int x = edges[size.xs + place % size.columns];
    const int y = edges[size.ys + place / size.columns];
    if (varied(sums, squares, plane.width + 1, x, y, size.width, size.height,
               size.minimum_variance)) {
      global const uchar* window = pixels + plane.offset + (size_t)y * plane.stride + x;
      global const short4* pair = pairs + size.pairs;
      for (int f = 0; f < FERNS; ++f) {
        // What the ferns left could add at most is not enough: the answer is known.
        if (score + (FERNS - f) * POSTERIOR_ONE < minimum_score) break;
        uint code = 0;
        for (int p = 0; p < PAIRS; ++p, ++pair) {
          const short4 at = *pair;
          code =
              2 * code + (window[at.y * plane.stride + at.x] > window[at.w * plane.stride + at.z]);
        }
        codes[f] = (ushort)code;
        score += posteriors[(f << PAIRS) + code];
      }
      enough = score >= minimum_score;
    }
  }
  if (enough) atomic_or(&marks[item / 32], 1u << (item % 32));
  barrier(CLK_LOCAL_MEM_FENCE);

  int before = popcount(marks[item / 32] & ((1u << (item % 32)) - 1));
  for (int i = 0; i < item / 32; ++i) before += popcount(marks[i]);
  if (enough) {
    const size_t at = (size_t)part.slot + before;
    found[at].window = size.first + place;
    found[at].score = score;
    for (int f = 0; f < FERNS; ++f) found_codes[at * FERNS + f] = codes[f];
  }
  if (item == GROUP - 1) counts[get_group_id(0)] = before + enough;
}

// starts[p] = candidates in the parts before p, and total[0] = in all. One work-group of at most
// GROUP items.
kernel void scan_starts(global const uint* counts, int parts, global uint* starts,
                        global uint* total) {
  local uint sums[GROUP];
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int share = (parts + items - 1) / items;
  const int begin = min(item * share, parts);
  const int end = min(begin + share, parts);
  uint sum = 0;
  for (int p = begin; p < end; ++p) sum += counts[p];
  uint start = sum_up_to(sum, sums) - sum;
  for (int p = begin; p < end; ++p) {
    starts[p] = start;
    start += counts[p];
  }
  if (item == items - 1) total[0] = start;
}

// One work-group for each part.
kernel void scan_gather(global const struct WindowPart* parts, global const uint* counts,
                        global const uint* starts, global const struct Candidate* found,
                        global const ushort* found_codes, global struct Candidate* candidates,
                        global ushort* codes) {
  const size_t part = get_group_id(0);
  const uint count = counts[part];
  const size_t from = parts[part].slot;
  const size_t to = starts[part];
  for (uint i = get_local_id(0); i < count; i += get_local_size(0)) {
    candidates[to + i] = found[from + i];
  }
  for (uint i = get_local_id(0); i < count * FERNS; i += get_local_size(0)) {
    codes[to * FERNS + i] = found_codes[from * FERNS + i];
  }
}
