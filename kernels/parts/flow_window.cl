// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl: a window of a picture in a group's local memory, and values between its
// pixels.
//
// ITEMS: work-items of a group, a multiple of PARTS. 1 for CPUs, where a work-item takes several
//   pixels at a time, as vectors.
#include "parts/mirrored.cl"

// Side of the squares that are compared.
#define SQUARE CLTRACK_SIMILARITY_SIDE

#ifndef ITEMS
#define ITEMS CLTRACK_FLOW_ITEMS
#endif
#define PARTS CLTRACK_FLOW_PARTS  // of a sum, where a group has several items

// The pixels of a square that an item takes: every ITEMS-th one.
struct Walk {
  int2 pixel, step;
  int side;
};

struct Walk walk_through(int side, int item) {
  const struct Walk walk = {(int2)(item % side, item / side), (int2)(ITEMS % side, ITEMS / side),
                            side};
  return walk;
}

// A group's window and its scratch memory. Pixel (x, y) of `still` and the slopes is entry
// y * stride + x; of `moving`, value, dx and dy, entry y * moving_stride + x.
struct Window {
  int size;  // pixels a side
  int stride;
  int moving_stride;
  int item;
  struct Walk walk;     // through size x size pixels
  local float* still;   // pixels of the first picture; begin one above and left of the window
  local float* moving;  // pixels of the second picture
  local int* slopes;    // derivatives at the pixels of the first picture, see SLOPES
  local int* value;     // of the window in the first picture, 5 bits after the point
  local int* dx;        // derivatives in the window
  local int* dy;
  local long2* sums;  // ITEMS + PARTS
};

// Derivatives to the right and down in one word; each takes 13 bits.
#define SLOPES(right, down) (((right)&65535) | (down)*65536)
#define SLOPE_RIGHT(slopes) ((slopes) << 16 >> 16)
#define SLOPE_DOWN(slopes) ((slopes) >> 16)

struct Picture {
  global const uchar* pixels;
  const struct FlowLevels* all;
};

// Sums over two squares of values between the pixels of their pictures.
struct Products {
  long a, b, aa, bb, ab;
};

// Weights of the four pixels around a point; integers that add up to 2^14.
float4 weights(float2 corner, int2 pixel) {
  const float2 f = corner - convert_float2(pixel);
  float4 k;
  k.x = rint((1 - f.x) * (1 - f.y) * 16384);
  k.y = rint(f.x * (1 - f.y) * 16384);
  k.z = rint((1 - f.x) * f.y * 16384);
  k.w = 16384 - k.x - k.y - k.z;
  return k;
}
