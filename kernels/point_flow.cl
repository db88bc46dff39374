// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramidal Lucas-Kanade (J.-Y. Bouguet, "Pyramidal implementation of the Lucas Kanade feature
// tracker"), there and back again, see lib/ops/point_flow.h. As in OpenCV's version, the weights of
// pixels have 14 bits, and brightness has 5 bits after the point. All sums over a window are sums
// of integers, so that they do not depend on who adds what; only the 2 x 2 system is solved in
// floating point, by every work-item for itself.
//
// Brightness is kept in floats where these are exact (below 2^24): they multiply faster.
#include "flow_window.cl"

#if ITEMS == 1
#include "flow_window_vectors.cl"
#else
#include "flow_window_groups.cl"
#endif

// Side of the squares that are compared.
#define SQUARE 10

struct Search {
  int iterations;  // per level
  float epsilon;   // squared
};

bool overlaps(float2 corner, int size, struct PlaneLayout level) {
  return corner.x >= -size && corner.x < level.width && corner.y >= -size &&
         corner.y < level.height;
}

// Looks for the window at `corner` of one picture around *end in the other, which it moves. False
// if the window is too flat or outside of the picture.
bool refine(const struct Window* w, struct Picture from, struct Picture to, int level,
            float2 corner, struct Search search, float2* end) {
  const struct PlaneLayout at = from.all->levels[level];
  const bool inside = overlaps(corner, w->size, at);
  if (!inside) corner = 0;
  const float2 whole = floor(corner);
  const int2 origin = convert_int2(whole);
  stage(w, from, level, origin.x - 1, origin.y - 1, w->size + 3, true, false, w->still);
  take_slopes(w, origin.x, origin.y, at.width, at.height);
  const long3 sums = take_window(w, weights(corner, whole));

  const float scale = 1.0f / (1 << 20);
  const float xx = (float)sums.x * scale;
  const float xy = (float)sums.y * scale;
  const float yy = (float)sums.z * scale;
  const float determinant = xx * yy - xy * xy;
  const float smallest_eigenvalue =
      (yy + xx - sqrt((xx - yy) * (xx - yy) + 4 * xy * xy)) / (2 * w->size * w->size);
  const bool trackable = inside && smallest_eigenvalue >= 1e-4f && determinant >= FLT_EPSILON;
  const float inverse = 1 / determinant;

  const float2 to_centre = (w->size - 1) * 0.5f;
  const struct PlaneLayout target = to.all->levels[level];
  float2 place = *end - to_centre;
  float2 before = 0;
  int2 staged = (int2)(INT_MIN);
  bool going = trackable && search.iterations > 0 && overlaps(place, w->size, target);
  for (int i = 1; going; ++i) {
    const float2 pixel = floor(place);
    const int2 wanted = convert_int2(pixel);
    const bool is_there = wanted.x == staged.x && wanted.y == staged.y;
    stage(w, to, level, wanted.x, wanted.y, w->size + 1, true, is_there, w->moving);
    staged = wanted;
    const long2 mismatch = take_mismatch(w, weights(place, pixel));
    const float bx = (float)mismatch.x * scale;
    const float by = (float)mismatch.y * scale;
    const float2 move = (float2)((xy * by - yy * bx) * inverse, (xy * bx - xx * by) * inverse);
    place += move;
    *end = place + to_centre;
    going = i < search.iterations && move.x * move.x + move.y * move.y > search.epsilon &&
            overlaps(place, w->size, target);
    // Steps to and fro: the truth lies between.
    if (move.x * move.x + move.y * move.y > search.epsilon && i > 1 &&
        fabs(move.x + before.x) <= 0.01f && fabs(move.y + before.y) <= 0.01f) {
      *end -= move * 0.5f;
      going = false;
    }
    before = move;
  }
  return trackable;
}

// Follows `start` from the coarsest level to the finest one. Only the finest one decides whether it
// was found: what is flat from afar may have structure when seen closely.
bool follow(const struct Window* w, struct Picture from, struct Picture to, float2 start,
            struct Search search, float2* end) {
  const float2 to_centre = (w->size - 1) * 0.5f;
  const int top = min(from.all->top, to.all->top);
  bool found = false;
  for (int level = top; level >= 0; --level) {
    const float2 here = start * (1.0f / (1 << level));
    *end = level == top ? here : *end * 2;
    found = refine(w, from, to, level, here - to_centre, search, end);
  }
  return found && overlaps(*end - to_centre, w->size, to.all->levels[0]);
}

// See lib/ops/point_similarity.h.
float similarity(const struct Window* w, struct Picture from, struct Picture to, float2 a,
                 float2 b) {
  const float2 corner_a = a - 0.5f * (SQUARE - 1);
  const float2 corner_b = b - 0.5f * (SQUARE - 1);
  const float2 whole_a = floor(corner_a);
  const float2 whole_b = floor(corner_b);
  stage(w, from, 0, (int)whole_a.x, (int)whole_a.y, SQUARE + 1, false, false, w->still);
  stage(w, to, 0, (int)whole_b.x, (int)whole_b.y, SQUARE + 1, false, false, w->moving);
  const float4 ka = weights(corner_a, whole_a);
  const float4 kb = weights(corner_b, whole_b);
  long sum_a = 0, sum_b = 0, aa = 0, bb = 0, ab = 0;
  for (int i = w->item; i < SQUARE * SQUARE; i += ITEMS) {
    const int at = i / SQUARE * w->stride + i % SQUARE;
    local const float* p = w->still + at;
    local const float* q = w->moving + at;
    const long va =
        (int)(p[0] * ka.x + p[1] * ka.y + p[w->stride] * ka.z + p[w->stride + 1] * ka.w);
    const long vb =
        (int)(q[0] * kb.x + q[1] * kb.y + q[w->stride] * kb.z + q[w->stride + 1] * kb.w);
    sum_a += va;
    sum_b += vb;
    aa += va * va;
    bb += vb * vb;
    ab += va * vb;
  }
  const long2 sums = added(w, (long2)(sum_a, sum_b));
  const long2 squares = added(w, (long2)(aa, bb));
  const long products = added(w, (long2)(ab, 0)).x;
  const long n = SQUARE * SQUARE;
  const long spread_a = n * squares.x - sums.x * sums.x;
  const long spread_b = n * squares.y - sums.y * sums.y;
  if (spread_a <= 0 || spread_b <= 0) return 0;
  return (float)(n * products - sums.x * sums.y) / sqrt((float)spread_a * (float)spread_b);
}

// Group i tracks points[i]. `size` is the window's; scratch has 6 * rows * stride entries.
kernel void point_flow(global const uchar* from_pixels, struct FlowLevels from_levels,
                       global const uchar* to_pixels, struct FlowLevels to_levels,
                       global const float2* points, int size, int iterations, float epsilon,
                       global struct TrackedPoint* result, int rows, int stride,
                       local float* scratch, local long2* sums) {
  const int item = get_local_id(0);
  const size_t point = get_group_id(0);
  const int part = rows * stride;
  struct Window w;
  w.size = size;
  w.stride = stride;
  w.item = item;
  w.first = (int2)(item % size, item / size);
  w.step = (int2)(ITEMS % size, ITEMS / size);
  w.still = scratch;
  w.moving = scratch + part;
  w.value = scratch + 2 * part;
  w.slope_x = (local int*)w.moving;
  w.slope_y = (local int*)(scratch + 3 * part);
  w.dx = (local int*)(scratch + 4 * part);
  w.dy = (local int*)(scratch + 5 * part);
  w.sums = sums;
  // Entries to spare are read, and must be numbers.
  for (int i = item; i < 2 * part; i += ITEMS) scratch[i] = 0;

  const struct Picture from = {from_pixels, &from_levels};
  const struct Picture to = {to_pixels, &to_levels};
  const struct Search search = {iterations, epsilon};
  const float2 start = points[point];
  // There, and from there back. A loop, because compilers put all that it calls in its place.
  float2 places[3] = {start, 0, 0};
  bool found = true;
  for (int back = 0; back < 2 && found; ++back) {
    found = follow(&w, back ? to : from, back ? from : to, places[back], search, &places[back + 1]);
  }
  const float alike = similarity(&w, from, to, found ? start : 0, found ? places[1] : 0);
  struct TrackedPoint tracked = {0, 0, 0, 0, 0};
  if (found) {
    const float2 error = places[2] - start;
    tracked.x = places[1].x;
    tracked.y = places[1].y;
    tracked.forward_backward = sqrt(error.x * error.x + error.y * error.y);
    tracked.similarity = alike;
    tracked.found = 1;
  }
  if (item == 0) result[point] = tracked;
}
