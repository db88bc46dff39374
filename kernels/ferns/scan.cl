// SPDX-License-Identifier: LGPL-2.1-or-later
// Variance filter and ferns over all windows of all jobs, see lib/ops/ferns/scan.h. The candidates
// of a partition are first written to the next free places, then moved together in the order of the
// partitions' indices: so they are by rising index on every device, without sorting.
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

#define PARTS CLTRACK_SCAN_PARTS
#define PART_WINDOWS CLTRACK_PART_WINDOWS
#define WINDOWS (PARTS * PART_WINDOWS)  // of a group, at most

// Marks of the windows of a group, a bit for each. All items call it.
void clear_marks(local uint* marks) {
  for (int i = get_local_id(0); i < WINDOWS / 32; i += get_local_size(0)) marks[i] = 0;
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

struct Part {
  struct WindowPart windows;
  struct WindowLayout size;
  ulong tables;    // where its posteriors begin
  bool has_near;   // windows that may lie in the region
  bool has_turns;  // rows that are scanned from end to end
};

// Loads all that a group needs of a partition. Returns whether some of it is scanned.
bool load_part(struct WindowPart windows, global const struct ScanJob* jobs,
               global const struct ScanRegion* regions, global const struct WindowLayout* sizes,
               global const int* edges, local struct Part* part) {
  const struct WindowLayout size = sizes[windows.size];
  const struct ScanRegion region = regions[size.job];
  global const int* ys = edges + size.ys;
  const int first_row = windows.place / size.columns;
  const int last_row = (windows.place + windows.count - 1) / size.columns;
  part->windows = windows;
  part->size = size;
  part->tables = tables_of(size.job, jobs);
  part->has_near = meets(region, windows.size, size.height, ys[first_row], ys[last_row]);
  part->has_turns = has_turn(region, first_row, last_row);
  return part->has_near || part->has_turns;
}

// Whether a window of a partition is scanned, and passes the variance filter.
bool passes(local const struct Part* part, int number, global const struct ScanRegion* regions,
            global const int* edges, int stride, global const uint* sums,
            global const uint* squares) {
  if (number >= part->windows.count || !(part->has_near || part->has_turns)) return false;
  const struct ScanRegion region = regions[part->size.job];
  const int place = part->windows.place + number;
  const int row = place / part->size.columns;
  const int x = edges[part->size.xs + place % part->size.columns];
  const int y = edges[part->size.ys + row];
  const int width = part->size.width;
  const int height = part->size.height;
  const bool is_near = part->has_near && x >= region.left && x + width <= region.right &&
                       y >= region.top && y + height <= region.bottom;
  return (is_near || has_turn(region, row, row)) &&
         varied(sums, squares, stride, (size_t)y * stride + x, width, height,
                part->size.minimum_variance);
}

// Each group has PARTS partitions, whose windows lie around about the same row of pixels: most of
// the pixels that one reads have been read by another. An item takes one fern of one window that
// passed the variance filter at a time. places: of each partition, where its candidates begin, and
// how many there are; those with places from `capacity` on are not written. used[0]: how many
// places are taken.
kernel void scan_groups(global const uchar* pixels, struct PlaneLayout plane,
                        global const uint* sums, global const uint* squares,
                        global const struct ScanJob* jobs, global const struct ScanRegion* regions,
                        global const struct WindowLayout* sizes, global const int* edges,
                        global const short4* pairs, int part_count,
                        global const struct WindowPart* all_parts, global const ushort* posteriors,
                        uint minimum_score, global struct Candidate* found,
                        global ushort* found_codes, uint capacity, global uint2* places,
                        global uint* used) {
  local uint marks[WINDOWS / 32];
  local struct Part parts[PARTS];
  local ushort passed[WINDOWS];  // their numbers in the group
  local ushort codes[FERNS][WINDOWS];
  local uint scores[WINDOWS];
  local uint first_place;
  local int is_scanned;
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  all_parts += get_group_id(0) * PARTS;
  const int own_parts = min(PARTS, part_count - (int)get_group_id(0) * PARTS);
  if (item == 0) is_scanned = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = item; k < PARTS; k += items) {
    parts[k].windows.count = 0;
    if (k < own_parts && load_part(all_parts[k], jobs, regions, sizes, edges, &parts[k])) {
      atomic_or(&is_scanned, 1);
    }
  }
  clear_marks(marks);
  if (!is_scanned) {  // for all items of the group
    for (int k = item; k < own_parts; k += items) {
      places[parts[k].windows.index] = (uint2)(0, 0);
    }
    return;
  }

  for (int i = item; i < WINDOWS; i += items) {
    if (passes(&parts[i / PART_WINDOWS], i % PART_WINDOWS, regions, edges, plane.width + 1, sums,
               squares)) {
      mark(marks, i);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int count = marked_before(marks, WINDOWS);
  for (int i = item; i < WINDOWS; i += items) {
    scores[i] = 0;
    if (is_marked(marks, i)) passed[marked_before(marks, i)] = (ushort)i;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  for (int i = item; i < count * FERNS; i += items) {
    const int f = i / count;
    const int slot = i % count;
    local const struct Part* part = &parts[passed[slot] / PART_WINDOWS];
    const int place = part->windows.place + passed[slot] % PART_WINDOWS;
    const int x = edges[part->size.xs + place % part->size.columns];
    const int y = edges[part->size.ys + place / part->size.columns];
    global const uchar* window = pixels + plane.offset + y * plane.stride + x;
    global const short4* pair = pairs + part->size.pairs + f * PAIRS;
    uint code = 0;
    for (int p = 0; p < PAIRS; ++p) {
      const short4 at = pair[p];
      code = 2 * code + (window[at.y * plane.stride + at.x] > window[at.w * plane.stride + at.z]);
    }
    codes[f][slot] = (ushort)code;
    atomic_add(&scores[slot], posteriors[part->tables + (f << PAIRS) + code]);
  }
  clear_marks(marks);
  for (int slot = item; slot < count; slot += items) {
    if (scores[slot] >= minimum_score) mark(marks, passed[slot]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  if (item == 0) {
    const uint here = marked_before(marks, WINDOWS);
    first_place = here > 0 ? atomic_add(used, here) : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int slot = item; slot < count; slot += items) {
    const int i = passed[slot];
    if (!is_marked(marks, i)) continue;
    const uint at = first_place + marked_before(marks, i);
    if (at >= capacity) continue;
    local const struct Part* part = &parts[i / PART_WINDOWS];
    found[at].window = part->size.first + part->windows.place + i % PART_WINDOWS;
    found[at].score = scores[slot];
    for (int f = 0; f < FERNS; ++f) found_codes[(size_t)at * FERNS + f] = codes[f][slot];
  }
  for (int k = item; k < own_parts; k += items) {
    const uint before = marked_before(marks, k * PART_WINDOWS);
    const uint behind = marked_before(marks, (k + 1) * PART_WINDOWS);
    places[parts[k].windows.index] = (uint2)(first_place + before, behind - before);
  }
}

#define ITEMS CLTRACK_GATHER_ITEMS
#define GATHERED CLTRACK_GATHER_PARTS

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
