// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of other kernels: which items of a work-group are marked, a bit for each.
#include "kernel_types.h"

#define MAX_ITEMS 1024
#define MARK_WORDS (MAX_ITEMS / 32)

// By all items, and a barrier behind it.
void clear_marks(local uint* marks) {
  for (uint m = get_local_id(0); m < MARK_WORDS; m += get_local_size(0)) marks[m] = 0;
}

void mark_item(local uint* marks) {
  const uint item = get_local_id(0);
  atomic_or(&marks[item / 32], 1u << (item % 32));
}

// How many of the items before this one are marked; adds to *all how many are in total. Behind a
// barrier.
uint rank_of_item(local const uint* marks, uint* all) {
  const uint item = get_local_id(0);
  uint before = popcount(marks[item / 32] & ((1u << (item % 32)) - 1));
  for (uint m = 0; m < item / 32; ++m) before += popcount(marks[m]);
  for (uint m = 0; m < (get_local_size(0) + 31) / 32; ++m) *all += popcount(marks[m]);
  return before;
}
