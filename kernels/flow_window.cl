// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl: a window of a picture in a group's local memory, and what lies between its
// pixels.
//
// ITEMS: work-items of a group, a power of two. 1 where a work-item better takes several pixels at
//   a time, as vectors (CPUs).
#include "mirrored.cl"

#ifndef ITEMS
#define ITEMS 32
#endif

#if ITEMS == 1
#define SYNC()
#else
#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)
#endif

// A group's window and its scratch memory; pixel (x, y) of every part is entry y * stride + x.
struct Window {
  int size;    // pixels a side
  int stride;  // with 8 entries to spare where ITEMS is 1
  int item;
  int2 first, step;     // of a work-item's way through size x size pixels
  local float* still;   // pixels of the first picture, from one above and left of the window on
  local float* moving;  // pixels of the second picture
  local float* value;   // of the window in the first picture, 5 bits after the point
  local int* slope_x;   // derivatives at the pixels of the first picture; where `moving` is
  local int* slope_y;
  local int* dx;  // derivatives in the window
  local int* dy;
  local long2* sums;
};

struct Picture {
  global const uchar* pixels;
  const struct FlowLevels* all;
};

// Brings side x side pixels from (left, top) on to `dst`, unless `is_there`. Beyond the border
// pictures mirror, or repeat their outermost pixels.
//
// All barriers are outside of conditions: what follows a barrier under a condition is copied by
// PoCL, for each of them again.
void stage(const struct Window* w, struct Picture picture, int level, int left, int top, int side,
           bool mirrors, bool is_there, local float* dst) {
  const struct PlaneLayout at = picture.all->levels[level];
  global const uchar* src = picture.pixels + at.offset;
  SYNC();
#if ITEMS == 1
  if (is_there) return;
  if (left >= 0 && top >= 0 && left + w->stride <= at.width && top + side <= at.height) {
    for (int y = 0; y < side; ++y) {
      global const uchar* row = src + (size_t)(top + y) * at.stride + left;
      for (int x = 0; x < w->stride; x += 8) {
        vstore8(convert_float8(vload8(0, row + x)), 0, dst + y * w->stride + x);
      }
    }
    return;
  }
#endif
  const int pixels = is_there ? 0 : side * side;
  for (int i = w->item; i < pixels; i += ITEMS) {
    const int y = i / side;
    const int x = i - y * side;
    const int u = mirrors ? mirrored(left + x, at.width) : clamp(left + x, 0, at.width - 1);
    const int v = mirrors ? mirrored(top + y, at.height) : clamp(top + y, 0, at.height - 1);
    dst[y * w->stride + x] = src[(size_t)v * at.stride + u];
  }
  SYNC();
}

// Of the four pixels around a point; whole numbers that add up to 2^14.
float4 weights(float2 corner, float2 whole) {
  const float2 f = corner - whole;
  float4 k;
  k.x = rint((1 - f.x) * (1 - f.y) * 16384);
  k.y = rint(f.x * (1 - f.y) * 16384);
  k.z = rint((1 - f.x) * f.y * 16384);
  k.w = 16384 - k.x - k.y - k.z;
  return k;
}
