// SPDX-License-Identifier: LGPL-2.1-or-later
// What blur.cl does, for CPUs: a work-item blurs a strip of STRIP_WIDTH columns from top to bottom
// and keeps the latest TAPS rows. Vectors of 16-bit words hold every sum, because high and low
// bytes are kept and added up separately. Weights are symmetric: pixels are added up in pairs
// first.
#include "parts/blur_weights.cl"

#define STRIP_WIDTH CLTRACK_BLUR_STRIP
#define LANES 16

struct BlurredRow {
  ushort16 high[STRIP_WIDTH / LANES];
  ushort16 low[STRIP_WIDTH / LANES];
};

// `first`: the pixel RADIUS columns left of the strip, in any address space.
#define BLUR_ROW(first, row)                                                                 \
  for (int i = 0; i < STRIP_WIDTH / LANES; ++i) {                                            \
    ushort16 sum = kWeights[0] * convert_ushort16(vload16(0, (first) + i * LANES + RADIUS)); \
    for (int k = 0; k < RADIUS; ++k) {                                                       \
      sum += kWeights[RADIUS - k] *                                                          \
             (convert_ushort16(vload16(0, (first) + i * LANES + k)) +                        \
              convert_ushort16(vload16(0, (first) + i * LANES + 2 * RADIUS - k)));           \
    }                                                                                        \
    (row)->high[i] = sum >> (ushort)8;                                                       \
    (row)->low[i] = sum & (ushort)255;                                                       \
  }

// Vector i of a blurred row. `rows`: the TAPS rows around it, from above to below.
uchar16 blurred_down(const struct BlurredRow* const* rows, int i) {
  ushort16 high = kWeights[0] * rows[RADIUS]->high[i];
  ushort16 low = kWeights[0] * rows[RADIUS]->low[i];
#pragma unroll
  for (int k = 0; k < RADIUS; ++k) {
    const struct BlurredRow* above = rows[k];
    const struct BlurredRow* below = rows[2 * RADIUS - k];
    high += kWeights[RADIUS - k] * (above->high[i] + below->high[i]);
    low += kWeights[RADIUS - k] * (above->low[i] + below->low[i]);
  }
  return convert_uchar16((high + (low >> (ushort)8) + (ushort)128) >> (ushort)8);
}

kernel void blur_strips(global const uchar* pixels, struct PlaneLayout src, global uchar* blurred,
                        struct PlaneLayout dst, int strip_height) {
  const int left = (int)get_global_id(0) * STRIP_WIDTH;
  const int top = (int)get_global_id(1) * strip_height;
  if (left >= src.width || top >= src.height) return;
  const int bottom = min(top + strip_height, src.height);
  const int columns = min(STRIP_WIDTH, src.width - left);
  const bool inside = left >= RADIUS && left + STRIP_WIDTH + RADIUS <= src.width;
  // The entries of `padded` inside the picture.
  const int begin = max(RADIUS - left, 0);
  const int end = min(STRIP_WIDTH + 2 * RADIUS, src.width - left + RADIUS);

  uchar padded[STRIP_WIDTH + 2 * RADIUS];
  struct BlurredRow ring[TAPS];
  for (int y = top - RADIUS; y < bottom + RADIUS; ++y) {
    const int place = (y - top + RADIUS) % TAPS;
    global const uchar* row =
        pixels + src.offset + (size_t)clamp(y, 0, src.height - 1) * src.stride;
    if (inside) {
      BLUR_ROW(row + left - RADIUS, ring + place)
    } else {
      for (int i = 0; i < begin; ++i) padded[i] = row[0];
      for (int i = begin; i < end; ++i) padded[i] = row[left - RADIUS + i];
      for (int i = end; i < STRIP_WIDTH + 2 * RADIUS; ++i) padded[i] = row[src.width - 1];
      BLUR_ROW(padded, ring + place)
    }
    const int out_y = y - RADIUS;
    if (out_y < top) continue;
    const struct BlurredRow* rows[TAPS];
    for (int k = 0; k < TAPS; ++k) {
      // The oldest row lies right behind the latest one.
      const int from = place + 1 + k;
      rows[k] = ring + (from < TAPS ? from : from - TAPS);
    }
    global uchar* out = blurred + dst.offset + (size_t)out_y * dst.stride + left;
    if (columns == STRIP_WIDTH) {
      for (int i = 0; i < STRIP_WIDTH / LANES; ++i) vstore16(blurred_down(rows, i), i, out);
    } else {
      for (int i = 0; i * LANES < columns; ++i) {
        uchar last[LANES];
        vstore16(blurred_down(rows, i), 0, last);
        for (int x = i * LANES; x < min((i + 1) * LANES, columns); ++x) out[x] = last[x % LANES];
      }
    }
  }
}
