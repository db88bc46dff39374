// SPDX-License-Identifier: LGPL-2.1-or-later
// Pixels, sums of places and boxes of all objects of a picture; see lib/ops/color/color_sums.h. A
// work-group adds up some rows in local memory, one entry for each object; then one work-group for
// each object adds up the partial sums. (The local evaluation and the multiple parallel reduction
// of the paper, the latter in one step.)
//
// Neighbouring pixels of the same object are added as one run: few atomics, whatever the number of
// objects.
#include "parts/color_cell.cl"

// The numbers of an object. Places count from the first row of the group, so that sums fit.
enum { COUNT, SUM_X, SUM_Y, LEFT, RIGHT, TOP, BOTTOM };
#define NUMBERS CLTRACK_COLOR_NUMBERS

void add_run(local uint* sums, int objects, uint label, int left, int right, int y) {
  if (label == 0 || label > (uint)objects || left == right) return;
  local uint* own = sums + (label - 1);
  const uint count = right - left;
  const uint sum_x = (ulong)count * (uint)(left + right - 1) / 2;
  if (get_local_size(0) == 1) {  // on CPUs: no atomics are needed
    own[COUNT * objects] += count;
    own[SUM_X * objects] += sum_x;
    own[SUM_Y * objects] += count * y;
    own[LEFT * objects] = min(own[LEFT * objects], (uint)left);
    own[RIGHT * objects] = max(own[RIGHT * objects], (uint)right);
    own[TOP * objects] = min(own[TOP * objects], (uint)y);
    own[BOTTOM * objects] = max(own[BOTTOM * objects], (uint)y + 1);
    return;
  }
  atomic_add(own + COUNT * objects, count);
  atomic_add(own + SUM_X * objects, sum_x);
  atomic_add(own + SUM_Y * objects, count * y);
  atomic_min(own + LEFT * objects, (uint)left);
  atomic_max(own + RIGHT * objects, (uint)right);
  atomic_min(own + TOP * objects, (uint)y);
  atomic_max(own + BOTTOM * objects, (uint)y + 1);
}

// Group g: rows [g * rows, (g + 1) * rows). Number i of group g goes to partial[i * number_stride +
// g * group_stride]: partial sums are contiguous by object or by group (the paper's layouts).
kernel void color_sums(global const uchar* plane0, global const uchar* plane1,
                       global const uchar* plane2, struct ColorLayout at, global const uchar* table,
                       int objects, int rows, int run, int number_stride, int group_stride,
                       global uint* partial, local uint* sums) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  for (int i = item; i < objects * NUMBERS; i += items) {
    const int number = i / objects;
    sums[i] = number == LEFT || number == TOP ? UINT_MAX : 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const int group = get_group_id(0);
  const int first_row = group * rows;
  const int height = min(rows, at.height - first_row);
  const int runs = (at.width + run - 1) / run;
  for (int i = item; i < height * runs; i += items) {
    const int y = i / runs;
    const int begin = (i - y * runs) * run;
    const int end = min(begin + run, at.width);
    uint label = 0;
    int left = begin;
    for (int x = begin; x < end; ++x) {
      const uint own = table[cell_at(plane0, plane1, plane2, &at, x, first_row + y)];
      if (own != label) {
        add_run(sums, objects, label, left, x, y);
        label = own;
        left = x;
      }
    }
    add_run(sums, objects, label, left, end, y);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = item; i < objects * NUMBERS; i += items) {
    partial[(size_t)i * number_stride + (size_t)group * group_stride] = sums[i];
  }
}

// Group i: object i, of which `groups` groups of `rows` rows each have partial sums. `parts` has
// one entry for each work-item.
kernel void fold_color_sums(global const uint* partial, int objects, int groups, int rows,
                            int number_stride, int group_stride, global struct ColorSum* result,
                            local struct ColorSum* parts) {
  const int object = get_group_id(0);
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const size_t next = (size_t)objects * number_stride;
  struct ColorSum sum = {0, 0, 0, INT_MAX, INT_MAX, 0, 0};
  for (int g = item; g < groups; g += items) {
    global const uint* own = partial + (size_t)object * number_stride + (size_t)g * group_stride;
    const uint count = own[COUNT * next];
    if (count == 0) continue;
    const int first_row = g * rows;
    sum.count += count;
    sum.sum_x += own[SUM_X * next];
    sum.sum_y += own[SUM_Y * next] + (ulong)count * first_row;
    sum.left = min(sum.left, (int)own[LEFT * next]);
    sum.right = max(sum.right, (int)own[RIGHT * next]);
    sum.top = min(sum.top, (int)own[TOP * next] + first_row);
    sum.bottom = max(sum.bottom, (int)own[BOTTOM * next] + first_row);
  }
  parts[item] = sum;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) {
      const struct ColorSum other = parts[item + step];
      sum.count += other.count;
      sum.sum_x += other.sum_x;
      sum.sum_y += other.sum_y;
      sum.left = min(sum.left, other.left);
      sum.right = max(sum.right, other.right);
      sum.top = min(sum.top, other.top);
      sum.bottom = max(sum.bottom, other.bottom);
      parts[item] = sum;
    }
  }
  if (item == 0) result[object] = sum;
}
