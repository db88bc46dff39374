// SPDX-License-Identifier: LGPL-2.1-or-later
// Fern codes of a list of windows, as they are and through warps, see lib/ops/ferns/fern_codes.h.
// In integers, as on the host.
#include "parts/candidate.cl"

#define FRACTION_BITS CLTRACK_WARP_FRACTION_BITS
#define MATRIX_BITS CLTRACK_WARP_MATRIX_BITS
#define ONE (1 << FRACTION_BITS)

uint hash(uint seed, int x, int y) {
  uint h = seed ^ ((uint)x * 0x9E3779B1u) ^ ((uint)y * 0x85EBCA77u);
  h ^= h >> 16;
  h *= 0x85EBCA6Bu;
  h ^= h >> 13;
  h *= 0xC2B2AE35u;
  return h ^ (h >> 16);
}

int noise_at(struct FixedWarp warp, int x, int y) {
  if (warp.noise == 0) return 0;
  const uint h = hash(warp.seed, x, y);
  const int sum = (int)((h & 255) + ((h >> 8) & 255) + ((h >> 16) & 255) + (h >> 24));
  return (int)(((sum - 510) * warp.noise + (1 << (MATRIX_BITS - 1))) >> MATRIX_BITS);
}

int warped(global const uchar* pixels, struct PlaneLayout plane, struct FixedWarp warp, int x,
           int y) {
  const long dx = ((long)x << FRACTION_BITS) - warp.center_x;
  const long dy = ((long)y << FRACTION_BITS) - warp.center_y;
  const long all_x =
      warp.center_x + warp.shift_x + ((warp.matrix[0] * dx + warp.matrix[1] * dy) >> MATRIX_BITS);
  const long all_y =
      warp.center_y + warp.shift_y + ((warp.matrix[2] * dx + warp.matrix[3] * dy) >> MATRIX_BITS);
  const int sx = (int)clamp(all_x, 0L, (long)(plane.width - 1) << FRACTION_BITS);
  const int sy = (int)clamp(all_y, 0L, (long)(plane.height - 1) << FRACTION_BITS);
  const int x0 = sx >> FRACTION_BITS;
  const int y0 = sy >> FRACTION_BITS;
  const int fx = sx & (ONE - 1);
  const int fy = sy & (ONE - 1);
  const int x1 = min(x0 + 1, plane.width - 1);
  global const uchar* top = pixels + plane.offset + (size_t)y0 * plane.stride;
  global const uchar* bottom =
      pixels + plane.offset + (size_t)min(y0 + 1, plane.height - 1) * plane.stride;
  const int sum = (ONE - fy) * ((ONE - fx) * top[x0] + fx * top[x1]) +
                  fy * ((ONE - fx) * bottom[x0] + fx * bottom[x1]);
  const int value = (sum + ONE * ONE / 2) >> (2 * FRACTION_BITS);
  return clamp(value + noise_at(warp, x, y), 0, 255);
}

// Work-item (f, i, j): fern f of sample i of job j, which is its window i % listed through its warp
// i / listed.
kernel void fern_codes(global const uchar* pixels, struct PlaneLayout plane,
                       global const uint* windows, global const struct FixedWarp* warps,
                       global const struct CodeJob* jobs, global const struct WindowLayout* sizes,
                       global const int* edges, global const short4* all_pairs, int ferns,
                       int pairs, global ushort* codes) {
  const int f = get_global_id(0);
  const uint i = get_global_id(1);
  const struct CodeJob job = jobs[get_global_id(2)];
  if (f >= ferns || i >= job.listed * job.warps) return;
  const uint window = windows[job.first_listed + i % job.listed];
  const struct FixedWarp warp = warps[job.first_warp + i / job.listed];
  sizes += job.first_size;
  const struct WindowLayout size = sizes[size_of(window, sizes, job.size_count)];
  const int4 corner = corner_of(window, size, edges).xyxy;
  global const short4* pair = all_pairs + size.pairs + f * pairs;
  uint code = 0;
  for (int p = 0; p < pairs; ++p) {
    const int4 at = convert_int4(pair[p]) + corner;
    bool brighter;
    if (warp.plain) {
      brighter = pixels[plane.offset + (size_t)at.y * plane.stride + at.x] >
                 pixels[plane.offset + (size_t)at.w * plane.stride + at.z];
    } else {
      brighter = warped(pixels, plane, warp, at.x, at.y) > warped(pixels, plane, warp, at.z, at.w);
    }
    code = 2 * code + brighter;
  }
  codes[(size_t)(job.first_sample + i) * ferns + f] = (ushort)code;
}
