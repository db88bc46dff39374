// SPDX-License-Identifier: LGPL-2.1-or-later
// Variance filter and ferns over all windows of all jobs, see lib/ops/ferns/scan.h. The candidates
// of a partition are first written to the next free places, then moved together in the order of the
// partitions: so they are by rising index on every device, without sorting.
//
// FERNS, PAIRS: of the ensemble; pixel pairs of each fern.
#include "parts/box_sums.cl"
#include "parts/candidate.cl"
#include "parts/prefix_sum.cl"

#ifndef FERNS
#define FERNS 10
#endif
#ifndef PAIRS
#define PAIRS 13
#endif

// Whether n^2 times the variance of the n pixels of a window reaches `minimum`: exact, as
// scaled_variance() on the host.
bool varied(global const uint* sums, global const uint* squares, int stride, size_t top, int width,
            int height, ulong minimum) {
  const ulong sum = box_sum(sums, stride, top, width, height);
  const ulong square = box_squares(squares, stride, top, width, height);
  return (ulong)(width * height) * square - sum * sum >= minimum;
}

// Whether windows of a size, given by its index, may lie in the region, if their top edges are from
// `first` to `last`.
bool meets(struct ScanRegion region, int index, int height, int first, int last) {
  return index >= region.first_size && index < region.first_size + region.size_count &&
         last >= region.top && first + height <= region.bottom;
}

// Whether one of the rows from `first` to `last` is scanned from end to end.
bool has_turn(struct ScanRegion region, int first, int last) {
  const int interval = region.row_interval;
  const int shift = interval - region.row_turn;
  // Such rows up to `last`, and before `first`.
  return interval > 0 && (last + shift) / interval > (first - 1 + shift) / interval;
}

// Where the tables of a job begin.
size_t tables_of(int job, global const struct ScanJob* jobs) {
  return (size_t)jobs[job].tables * (FERNS << PAIRS);
}

// Windows of a partition at most, and items of its work-group.
#define WINDOWS CLTRACK_SCAN_WINDOWS
#define ITEMS CLTRACK_SCAN_ITEMS
#define GATHERED CLTRACK_SCAN_GATHERED

// Marks of the windows of a partition, a bit for each. All items call it.
void clear_marks(local uint* marks) {
  if (get_local_id(0) < WINDOWS / 32) marks[get_local_id(0)] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
}
void mark(local uint* marks, int i) { atomic_or(&marks[i / 32], 1u << (i % 32)); }
bool is_marked(local const uint* marks, int i) { return marks[i / 32] >> (i % 32) & 1; }
// How many of the windows before number i are marked. Behind a barrier.
int marked_before(local const uint* marks, int i) {
  int before = 0;
  for (int m = 0; m < i / 32; ++m) before += popcount(marks[m]);
  return i % 32 == 0 ? before : before + popcount(marks[i / 32] & ((1u << (i % 32)) - 1));
}

// One work-group for each partition. An item takes one fern of one window that passed the variance
// filter at a time. places: of each partition, where its candidates begin, and how many there are;
// those with places from `capacity` on are not written. used[0]: how many places are taken.
kernel void scan_groups(global const uchar* pixels, struct PlaneLayout plane,
                        global const uint* sums, global const uint* squares,
                        global const struct ScanJob* jobs, global const struct ScanRegion* regions,
                        global const struct WindowLayout* sizes, global const int* edges,
                        global const short4* pairs, global const struct WindowPart* parts,
                        global const ushort* posteriors, uint minimum_score,
                        global struct Candidate* found, global ushort* found_codes, uint capacity,
                        global uint2* places, global uint* used) {
  local uint marks[WINDOWS / 32];
  local uchar passed[WINDOWS];  // their numbers in the partition
  local int offsets[WINDOWS];   // where their first pixels are
  local ushort codes[FERNS][WINDOWS];
  local ushort scores[FERNS][WINDOWS];
  local uint first_place;
  const int item = get_local_id(0);
  const struct WindowPart part = parts[get_group_id(0)];
  const struct WindowLayout size = sizes[part.size];
  const struct ScanRegion region = regions[size.job];
  global const ushort* table = posteriors + tables_of(size.job, jobs);
  global const int* ys = edges + size.ys;
  const int first_row = part.place / size.columns;
  const int last_row = (part.place + part.count - 1) / size.columns;
  const bool has_near = meets(region, part.size, size.height, ys[first_row], ys[last_row]);
  if (!has_near && !has_turn(region, first_row, last_row)) {  // for all items of the group
    if (item == 0) places[get_group_id(0)] = (uint2)(0, 0);
    return;
  }

  clear_marks(marks);
  int offset = 0;
  if (item < part.count) {
    const int place = part.place + item;
    const int x = edges[size.xs + place % size.columns];
    const int row = place / size.columns;
    const int y = ys[row];
    offset = y * plane.stride + x;
    const int stride = plane.width + 1;
    const size_t top = (size_t)y * stride + x;
    const bool is_near = has_near && x >= region.left && x + size.width <= region.right &&
                         y >= region.top && y + size.height <= region.bottom;
    const bool is_scanned = is_near || has_turn(region, row, row);
    if (is_scanned &&
        varied(sums, squares, stride, top, size.width, size.height, size.minimum_variance)) {
      mark(marks, item);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int count = marked_before(marks, WINDOWS);
  if (item < part.count && is_marked(marks, item)) {
    const int slot = marked_before(marks, item);
    passed[slot] = (uchar)item;
    offsets[slot] = offset;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = item; i < count * FERNS; i += ITEMS) {
    const int f = i / count;
    const int slot = i % count;
    global const uchar* window = pixels + plane.offset + offsets[slot];
    global const short4* pair = pairs + size.pairs + f * PAIRS;
    uint code = 0;
    for (int p = 0; p < PAIRS; ++p) {
      const short4 at = pair[p];
      code = 2 * code + (window[at.y * plane.stride + at.x] > window[at.w * plane.stride + at.z]);
    }
    codes[f][slot] = (ushort)code;
    scores[f][slot] = table[(f << PAIRS) + code];
  }
  clear_marks(marks);
  uint score = 0;
  if (item < count) {
    for (int f = 0; f < FERNS; ++f) score += scores[f][item];
    if (score >= minimum_score) mark(marks, item);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (item == 0) {
    const uint here = marked_before(marks, WINDOWS);
    first_place = 0;
    if (here > 0) first_place = atomic_add(used, here);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item < count && is_marked(marks, item)) {
    const uint at = first_place + marked_before(marks, item);
    if (at < capacity) {
      found[at].window = size.first + part.place + passed[item];
      found[at].score = score;
      for (int f = 0; f < FERNS; ++f) found_codes[(size_t)at * FERNS + f] = codes[f][item];
    }
  }
  if (item == 0) places[get_group_id(0)] = (uint2)(first_place, marked_before(marks, WINDOWS));
}

// Work-groups of ITEMS: each has `parts_each` partitions, and moves the candidates of GATHERED of
// them at a time. total[0] = candidates of all, or 0 if there was no room for them; total[1] =
// places that they take.
kernel void scan_gather(int part_count, int parts_each, global const uint2* places,
                        global const struct Candidate* found, global const ushort* found_codes,
                        uint capacity, global struct Candidate* candidates, global ushort* codes,
                        global uint* total) {
  local uint sums[ITEMS];
  const int item = get_local_id(0);
  const int first = (int)get_group_id(0) * parts_each;
  const int end = min(first + parts_each, part_count);
  uint before = 0;
  for (int p = item; p < first; p += ITEMS) before += places[p].y;
  sum_up_to(before, sums);
  before = sums[ITEMS - 1];

  const uint items = ITEMS / GATHERED;  // for each part
  const uint lane = item % items;
  for (int next = first; next < end; next += GATHERED) {
    const int part = next + item / items;
    const int last = min(next + GATHERED, end);
    size_t to = before;
    for (int p = next; p < last; ++p) {
      if (p < part) to += places[p].y;
      before += places[p].y;
    }
    if (part >= last) continue;
    const size_t from = places[part].x;
    const uint count = places[part].y;
    if (max(from, to) + count > capacity) continue;
    for (uint i = lane; i < count; i += items) candidates[to + i] = found[from + i];
    for (uint i = lane; i < count * FERNS; i += items) {
      codes[to * FERNS + i] = found_codes[from * FERNS + i];
    }
  }
  if (end == part_count && item == 0) {
    total[0] = before <= capacity ? before : 0;
    total[1] = before;
  }
}
