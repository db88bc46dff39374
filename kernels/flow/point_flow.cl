// SPDX-License-Identifier: LGPL-2.1-or-later
// Pyramidal Lucas-Kanade (J.-Y. Bouguet, "Pyramidal implementation of the Lucas Kanade feature
// tracker"), forward and backward, see lib/ops/flow/point_flow.h. As in OpenCV's version, the
// weights of pixels have 14 bits, and brightness has 5 bits after the point. All sums over a window
// are sums of integers, so that the order of additions does not matter. Only the 2 x 2 system is
// solved in floating point, by every work-item for itself.
//
// Brightness is kept in floats where these are exact (below 2^24): they multiply faster.
#include "parts/flow_window.cl"

// Both have:
//   void stage(w, picture, level, left, top, side, stride, mirrors, is_staged, dst)
//     copies side x side pixels from (left, top) on to `dst`, unless they are there already. Beyond
//     the border pictures mirror, or repeat their outermost pixels.
//   void take_slopes(w, left, top, width, height)
//     computes the derivatives around the window at (left, top) of the picture staged in `still`.
//   long3 take_window(w, weights)
//     fills value, dx and dy, and returns the sums of dx * dx, dx * dy, dy * dy.
//   long2 take_mismatch(w, weights)
//     returns the sums, over the window, of its differences to `moving` times dx and times dy.
//   struct Products take_products(w, weights_still, weights_moving)
//     compares the squares that are staged in `still` and `moving`.
#if ITEMS == 1
#include "parts/flow_window_cpu.cl"
#else
#include "parts/flow_window_gpu.cl"
#endif

struct Search {
  int iterations;  // per level
  float epsilon;   // squared
};

// The pixel of a place: floor(), for which some compilers have no instruction.
int2 pixel_of(float2 place) {
  const int2 pixel = convert_int2(place);
  return pixel + (convert_float2(pixel) > place);
}

bool overlaps(float2 corner, int size, struct PlaneLayout level) {
  return corner.x >= -size && corner.x < level.width && corner.y >= -size &&
         corner.y < level.height;
}

// Searches for the window at `corner` of one picture around *end in the other picture, and moves
// *end there. False if the window is too flat or outside of the picture.
bool refine(const struct Window* w, struct Picture from, struct Picture to, int level,
            float2 corner, struct Search search, float2* end) {
  const struct PlaneLayout at = from.all->levels[level];
  const bool inside = overlaps(corner, w->size, at);
  if (!inside) corner = 0;
  const int2 origin = pixel_of(corner);
  stage(w, from, level, origin.x - 1, origin.y - 1, w->size + 3, w->stride, true, false, w->still);
  take_slopes(w, origin.x, origin.y, at.width, at.height);
  const long3 sums = take_window(w, weights(corner, origin));

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
    const int2 wanted = pixel_of(place);
    const bool is_staged = wanted.x == staged.x && wanted.y == staged.y;
    stage(w, to, level, wanted.x, wanted.y, w->size + 1, w->moving_stride, true, is_staged,
          w->moving);
    staged = wanted;
    const long2 mismatch = take_mismatch(w, weights(place, wanted));
    const float bx = (float)mismatch.x * scale;
    const float by = (float)mismatch.y * scale;
    const float2 move = (float2)((xy * by - yy * bx) * inverse, (xy * bx - xx * by) * inverse);
    place += move;
    *end = place + to_centre;
    going = i < search.iterations && move.x * move.x + move.y * move.y > search.epsilon &&
            overlaps(place, w->size, target);
    // Two opposite steps: the result lies between them.
    if (move.x * move.x + move.y * move.y > search.epsilon && i > 1 &&
        fabs(move.x + before.x) <= 0.01f && fabs(move.y + before.y) <= 0.01f) {
      *end -= move * 0.5f;
      going = false;
    }
    before = move;
  }
  return trackable;
}

// Tracks `start` from the coarsest level to the finest one. Only the finest one decides whether it
// was found: a window that is flat at a coarse level may have structure at a finer one.
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

// See lib/ops/flow/flow_window.h.
float similarity(const struct Window* w, struct Picture from, struct Picture to, float2 a,
                 float2 b) {
  const float2 corner_a = a - 0.5f * (SQUARE - 1);
  const float2 corner_b = b - 0.5f * (SQUARE - 1);
  const int2 pixel_a = pixel_of(corner_a);
  const int2 pixel_b = pixel_of(corner_b);
  stage(w, from, 0, pixel_a.x, pixel_a.y, SQUARE + 1, w->stride, false, false, w->still);
  stage(w, to, 0, pixel_b.x, pixel_b.y, SQUARE + 1, w->stride, false, false, w->moving);
  const struct Products sums =
      take_products(w, weights(corner_a, pixel_a), weights(corner_b, pixel_b));
  const long n = SQUARE * SQUARE;
  const long spread_a = n * sums.aa - sums.a * sums.a;
  const long spread_b = n * sums.bb - sums.b * sums.b;
  if (spread_a <= 0 || spread_b <= 0) return 0;
  return (float)(n * sums.ab - sums.a * sums.b) / sqrt((float)spread_a * (float)spread_b);
}

// Group i tracks points[i], which is one of points_of_job of a job, in a window of windows[job]
// pixels a side; none if that is 0. `scratch` has six parts of stride * stride entries, and more
// for vectors, for the largest of these windows.
kernel void point_flow(global const uchar* from_pixels, struct FlowLevels from_levels,
                       global const uchar* to_pixels, struct FlowLevels to_levels,
                       global const float2* points, int points_of_job, global const int* windows,
                       int iterations, float epsilon, global struct TrackedPoint* result,
                       local float* scratch, local long2* sums) {
  const int item = get_local_id(0);
  const size_t point = get_group_id(0);
  const int size = windows[point / points_of_job];
  struct TrackedPoint tracked = {0, 0, 0, 0, 0};
  if (size == 0) {
    if (item == 0) result[point] = tracked;
    return;
  }
  const int stride = max(size + 3, SQUARE + 1);
  const int part = stride * stride + (ITEMS == 1 ? CLTRACK_FLOW_LANES : 0);
  struct Window w;
  w.size = size;
  w.stride = stride;
  w.moving_stride = size + 1;
  w.item = item;
  w.walk = walk_through(size, item);
  w.still = scratch;
  w.moving = scratch + part;
  w.value = (local int*)(scratch + 2 * part);
  w.dx = (local int*)(scratch + 3 * part);
  w.dy = (local int*)(scratch + 4 * part);
  w.slopes = (local int*)(scratch + 5 * part);
  w.sums = sums;
  // Vectors also read entries that are not written: they must be numbers, and derivatives 0.
  if (ITEMS == 1) {
    for (int i = 0; i < 6 * part; ++i) scratch[i] = 0;
  }

  const struct Picture from = {from_pixels, &from_levels};
  const struct Picture to = {to_pixels, &to_levels};
  const struct Search search = {iterations, epsilon};
  const float2 start = points[point];
  // Forward, then backward. A loop, because compilers inline all that it calls.
  float2 places[3] = {start, 0, 0};
  bool found = true;
  for (int back = 0; back < 2 && found; ++back) {
    found = follow(&w, back ? to : from, back ? from : to, places[back], search, &places[back + 1]);
  }
  const float similar = similarity(&w, from, to, found ? start : 0, found ? places[1] : 0);
  if (found) {
    const float2 error = places[2] - start;
    tracked.x = places[1].x;
    tracked.y = places[1].y;
    tracked.forward_backward = sqrt(error.x * error.x + error.y * error.y);
    tracked.similarity = similar;
    tracked.found = 1;
  }
  if (item == 0) result[point] = tracked;
}
