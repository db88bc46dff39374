// SPDX-License-Identifier: LGPL-2.1-or-later
// Bounds of the score of each place, and the list of places that may be the best; see
// lib/ops/match/best_match_device.cpp.
#include "parts/box_sums.cl"
#include "parts/fft.cl"

#define UNIT 5.9604645e-8f  // 2^-24

// Upper and lower bound of the score of the patch that begins at entry `top` of the integrals. The
// product with the template, both less their levels, has an error of at most `error`. Roots and
// quotients may be some units off.
float2 bounds_at(const struct MatchSearch* search, global const uint* sums,
                 global const uint* squares, int stride, size_t top, int level, float product,
                 float error) {
  const ulong sum = box_sum(sums, stride, top, search->width, search->height);
  const ulong square = box_squares(squares, stride, top, search->width, search->height);
  const ulong exact = search->cosine ? square : search->pixels * square - sum * sum;
  if (exact == 0) return (float2)(0, 0);
  const float energy = search->energy_factor * (float)exact;
  // sum((t - a) (f - b)) = sum(t f) - a sum(f) - b sum(t) + n a b
  const long pixels = search->pixels;
  const float term = search->cosine ? (float)(search->level * (long)sum +
                                              level * ((long)search->sum - pixels * search->level))
                                    : search->factor * (float)((long)sum - pixels * level);
  const float own_error = error + 8 * UNIT * (fabs(term) + fabs(product));
  const float scale = 1 / (sqrt(search->template_energy) * sqrt(energy));
  const float upper = (product + term + own_error) * scale;
  const float lower = (product + term - own_error) * scale;
  return (float2)(upper + 64 * UNIT * fabs(upper), lower - 64 * UNIT * fabs(lower));
}

// The inverse transform of rows 2 g and 2 g + 1, and bounds of their places. `uppers` has an entry
// for each place, lowers[g] is the greatest lower bound. products[0 ... products_count) are partial
// sums of squares. `parts` has one entry for each work-item, of which there is a power of two.
kernel void bound_rows(global const float2* spectrum, struct FftStages stages, int rows,
                       global const float2* twiddles, global const float* products,
                       int products_count, global const uint* sums, global const uint* squares,
                       int plane_width, int plane_height, struct MatchSearch search,
                       global float* uppers, global float* lowers, global uint* count,
                       FFT_SPACE float2* work, local float* parts) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int length = stages.length;
  const int columns = length / 2 + 1;
  const int y = 2 * (int)get_group_id(0);
  FFT_SPACE float2* data = OWN_WORK(length);
  global const float2* first = spectrum + (size_t)y * columns;
  for (int k = item; k < columns; k += items) {
    const float2 a = first[k];
    const float2 b = y + 1 < rows ? first[columns + k] : (float2)(0, 0);
    // a + i b, and the same of the conjugates; real and imaginary parts exchanged.
    if (k > 0) data[length - k] = (float2)(b.x - a.y, a.x + b.y);
    if (k == 0 || 2 * k != length) data[k] = (float2)(a.y + b.x, a.x - b.y);
  }
  float sum = 0;
  for (int i = item; i < products_count; i += items) sum += products[i];
  parts[item] = sum;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) parts[item] += parts[item + step];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int stride = plane_width + 1;
  const long level = plane_level(sums, plane_width, plane_height);
  const long plane_sum = box_sum(sums, stride, 0, plane_width, plane_height);
  const float plane_energy =
      (float)((long)plane_squares(squares, plane_width, plane_height) - 2 * level * plane_sum +
              level * level * plane_width * plane_height);
  const float error =
      search.forward_error * sqrt(plane_energy) + search.inverse_error * sqrt(parts[0]);

  FFT_SPACE const float2* z = fft(data, data + length, 1, &stages, twiddles);
  float lowest = -2;
  for (int row = 0; row < 2 && y + row < search.places_y; ++row) {
    const size_t top = (size_t)(y + row) * stride;
    for (int x = item; x < search.places_x; x += items) {
      const float product = row == 0 ? z[x].y : z[x].x;
      const float2 bounds =
          bounds_at(&search, sums, squares, stride, top + x, level, product, error);
      uppers[(size_t)(y + row) * search.places_x + x] = bounds.x;
      lowest = max(lowest, bounds.y);
    }
  }
  parts[item] = lowest;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) parts[item] = max(parts[item], parts[item + step]);
  }
  if (item != 0) return;
  lowers[get_group_id(0)] = parts[0];
  if (y == 0) count[0] = 0;
}

// The places whose upper bound is not below the greatest lower one, in any order. `parts` as above.
kernel void list_places(global const float* uppers, int places, global const float* lowers,
                        int lowers_count, global uint* list, global uint* count,
                        local float* parts) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  float limit = -2;
  for (int i = item; i < lowers_count; i += items) limit = max(limit, lowers[i]);
  parts[item] = limit;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) parts[item] = max(parts[item], parts[item + step]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  limit = parts[0];
  for (int i = get_global_id(0); i < places; i += get_global_size(0)) {
    if (uppers[i] >= limit) list[atomic_inc(count)] = i;
  }
}

// Lists all places.
kernel void list_all(int places, global uint* list, global uint* count) {
  const int i = get_global_id(0);
  if (i < places) list[i] = i;
  if (i == 0) count[0] = places;
}
