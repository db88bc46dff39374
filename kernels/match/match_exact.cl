// SPDX-License-Identifier: LGPL-2.1-or-later
// The exact scores of listed places, as fractions, and the best of them; fractions are ordered as
// in lib/ops/match/match_score.h.
//
// Four products of bytes take one instruction, if there is one: that of OpenCL's extension or, with
// DOT_PTX, that of NVIDIA's devices, whose compiler lacks the extension.
#include "parts/box_sums.cl"

#if defined(DOT_PTX)
uint dot_bytes(uchar4 a, uchar4 b) {
  uint result;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(as_uint(a)), "r"(as_uint(b)), "r"(0));
  return result;
}
#elif defined(cl_khr_integer_dot_product) && defined(__opencl_c_integer_dot_product_input_4x8bit)
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
uint dot_bytes(uchar4 a, uchar4 b) { return dot(a, b); }
#else
uint dot_bytes(uchar4 a, uchar4 b) {
  return (uint)a.x * b.x + (uint)a.y * b.y + (uint)a.z * b.z + (uint)a.w * b.w;
}
#endif

struct Wide192 {
  ulong high, middle, low;
};

// numerator^2 * energy
struct Wide192 cross_term(long numerator, ulong energy) {
  const ulong n = abs(numerator);
  const ulong square_high = mul_hi(n, n), square_low = n * n;
  struct Wide192 term;
  term.low = square_low * energy;
  const ulong carry = mul_hi(square_low, energy);
  term.middle = square_high * energy + carry;
  term.high = mul_hi(square_high, energy) + (term.middle < carry ? 1 : 0);
  return term;
}

int is_less(struct Wide192 a, struct Wide192 b) {
  if (a.high != b.high) return a.high < b.high;
  if (a.middle != b.middle) return a.middle < b.middle;
  return a.low < b.low;
}

int sign_of(struct MatchFound found) {
  if (found.energy == 0 || found.numerator == 0) return 0;
  return found.numerator > 0 ? 1 : -1;
}

// Places with x < 0 are none.
int is_better(struct MatchFound a, struct MatchFound b) {
  if (a.x < 0 || b.x < 0) return b.x < 0 && a.x >= 0;
  const int sign_a = sign_of(a), sign_b = sign_of(b);
  if (sign_a != sign_b) return sign_a > sign_b;
  if (sign_a != 0) {
    const struct Wide192 cross_a = cross_term(a.numerator, b.energy);
    const struct Wide192 cross_b = cross_term(b.numerator, a.energy);
    if (is_less(cross_a, cross_b)) return sign_a < 0;
    if (is_less(cross_b, cross_a)) return sign_a > 0;
  }
  return a.y != b.y ? a.y < b.y : a.x < b.x;
}

// Work-group g scores list[g], list[g + groups], ... and leaves the best in found[g]. `parts` has
// one entry for each work-item, of which there is a power of two.
kernel void score_places(global const uint* list, global const uint* count,
                         global const uchar* pixels, struct PlaneLayout plane,
                         global const uchar4* pattern, global const uint* sums,
                         global const uint* squares, struct MatchSearch search,
                         global struct MatchFound* found, local ulong* parts) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const uint listed = count[0];
  const int words = search.row_words * search.height;
  const int stride = plane.width + 1;
  struct MatchFound best = {0, 0, -1, -1};
  for (uint i = get_group_id(0); i < listed; i += get_num_groups(0)) {
    const int y = list[i] / search.places_x;
    const int x = list[i] - y * search.places_x;
    const size_t top = (size_t)y * stride + x;
    const ulong sum = box_sum(sums, stride, top, search.width, search.height);
    const ulong square = box_squares(squares, stride, top, search.width, search.height);
    struct MatchFound own;
    own.energy = search.cosine ? square : search.pixels * square - sum * sum;
    own.numerator = 0;
    own.x = x;
    own.y = y;
    if (own.energy != 0) {
      global const uchar* patch = pixels + plane.offset + (size_t)y * plane.stride + x;
      ulong product = 0;
      for (int word = item; word < words; word += items) {
        const int row = word / search.row_words;
        const int column = 4 * (word - row * search.row_words);
        global const uchar* from = patch + (size_t)row * plane.stride + column;
        uchar4 f;
        if (column + 4 <= search.width) {
          f = vload4(0, from);
        } else {  // the template's rows end with zeros, the plane may end here
          f = (uchar4)(from[0], column + 1 < search.width ? from[1] : 0,
                       column + 2 < search.width ? from[2] : 0, 0);
        }
        product += dot_bytes(f, pattern[word]);
      }
      parts[item] = product;
      for (int step = items / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (item < step) parts[item] += parts[item + step];
      }
      barrier(CLK_LOCAL_MEM_FENCE);
      product = parts[0];
      barrier(CLK_LOCAL_MEM_FENCE);
      own.numerator = search.cosine ? (long)product
                                    : (long)(search.pixels * product) - (long)(search.sum * sum);
    }
    if (is_better(own, best)) best = own;
  }
  if (item == 0) found[get_group_id(0)] = best;
}

// The best of all. `parts` as above.
kernel void best_place(global const struct MatchFound* found, int count,
                       global struct MatchFound* best, local struct MatchFound* parts) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  struct MatchFound own = {0, 0, -1, -1};
  for (int i = item; i < count; i += items) {
    if (is_better(found[i], own)) own = found[i];
  }
  parts[item] = own;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step && is_better(parts[item + step], parts[item])) {
      parts[item] = parts[item + step];
    }
  }
  if (item == 0) best[0] = parts[0];
}
