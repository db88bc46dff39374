// SPDX-License-Identifier: LGPL-2.1-or-later
// Begins each program for devices with memory of their own. There a kernel runs for many launches
// at a time: embed.py rewrites it so that each work-group looks up in a table to which of them it
// belongs, and what that launch's arguments are. Addresses in the table have a chunk of the
// device's memory and a place in it, see lib/compute/arena.h.
#include "kernel_types.h"

#if CLTRACK_CHUNKS != 8
#error "as many chunks are listed below"
#endif
#define FUSED_CHUNKS                                                                      \
  global uchar *chunk0, global uchar *chunk1, global uchar *chunk2, global uchar *chunk3, \
      global uchar *chunk4, global uchar *chunk5, global uchar *chunk6, global uchar *chunk7
#define FUSED_POINTER(address) \
  fused_pointer(chunk0, chunk1, chunk2, chunk3, chunk4, chunk5, chunk6, chunk7, address)

global uchar* fused_pointer(FUSED_CHUNKS, ulong address) {
  const uint chunk = (uint)(address >> CLTRACK_CHUNK_SHIFT);
  global uchar* const low = chunk < 2 ? chunk < 1 ? chunk0 : chunk1 : chunk < 3 ? chunk2 : chunk3;
  global uchar* const high = chunk < 6 ? chunk < 5 ? chunk4 : chunk5 : chunk < 7 ? chunk6 : chunk7;
  return (chunk < 4 ? low : high) + (address & ((1UL << CLTRACK_CHUNK_SHIFT) - 1));
}

// The launch of this work-group: launches have about as many groups each. `first` is the number of
// a launch's first group; other launches' are `stride` numbers further.
uint fused_launch(global const uint* first, uint stride, uint count) {
  const uint group = get_group_id(0);
  uint launch = min((uint)((float)group / (float)get_num_groups(0) * (float)count), count - 1);
  while (first[launch * stride] > group) --launch;
  while (launch + 1 < count && first[(launch + 1) * stride] <= group) ++launch;
  return launch;
}
