// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl, for CPUs: a window for one work-item, several pixels at a time. Vectors
// may reach into the next row, which is written after them, and beyond the last row.

#define LARGEST_SIDE (CLTRACK_LARGEST_FLOW_WINDOW + 3)  // with the pixels around the window
#define LANES ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

void stage(const struct Window* w, struct Picture picture, int level, int left, int top, int side,
           int stride, bool mirrors, bool is_staged, local float* dst) {
  (void)w;
  if (is_staged) return;
  const struct PlaneLayout at = picture.all->levels[level];
  global const uchar* src = picture.pixels + at.offset;
  const int columns = (side + 15) / 16 * 16;  // that are read
  const bool inside = left >= 0 && top >= 0 && left + side <= at.width && top + side <= at.height;
  if (inside && (at.height - top - side) * at.stride + at.width >= left + columns) {
    for (int y = 0; y < side; ++y) {
      global const uchar* row = src + (size_t)(top + y) * at.stride + left;
      for (int x = 0; x < columns; x += 16) {
        vstore16(convert_float16(vload16(0, row + x)), 0, dst + y * stride + x);
      }
    }
    return;
  }
  int from[LARGEST_SIDE];
  for (int x = 0; x < side; ++x) {
    from[x] = mirrors ? mirrored(left + x, at.width) : clamp(left + x, 0, at.width - 1);
  }
  for (int y = 0; y < side; ++y) {
    const int v = mirrors ? mirrored(top + y, at.height) : clamp(top + y, 0, at.height - 1);
    global const uchar* row = src + (size_t)v * at.stride;
    for (int x = 0; x < side; ++x) dst[y * stride + x] = row[from[x]];
  }
}

long sum8(long8 v) {
  const long4 four = v.lo + v.hi;
  const long2 two = four.lo + four.hi;
  return two.x + two.y;
}

long sum16(int16 v) { return sum8(convert_long8(v.lo) + convert_long8(v.hi)); }

// Scharr's derivatives at the (size + 1)^2 pixels that the window lies between: of each row of
// pixels, differences across two columns and pixels smoothed are needed in three rows. The last
// columns go first, since they write into the first ones of the next row.
void take_slopes(const struct Window* w, int left, int top, int width, int height) {
  for (int x = w->size / 16 * 16; x >= 0; x -= 16) {
    const int16 column = left + x + LANES;
    const int16 column_inside = (column >= 0) & (column < width);
    float16 differences[2], smooth[2];
    for (int y = 0; y < w->size + 3; ++y) {
      local const float* p = w->still + y * w->stride + x;
      const float16 a = vload16(0, p), c = vload16(0, p + 2);
      const float16 difference = c - a;
      const float16 smoothed = (a + c) * 3 + vload16(0, p + 1) * 10;
      if (y >= 2) {
        const float16 right = (differences[0] + difference) * 3 + differences[1] * 10;
        const float16 down = smoothed - smooth[0];
        const bool row_inside = top + y - 2 >= 0 && top + y - 2 < height;
        const int16 inside = row_inside ? column_inside : 0;
        const int at = (y - 2) * w->stride + x;
        vstore16(SLOPES(convert_int16(right), convert_int16(down)) & inside, 0, w->slopes + at);
      }
      differences[0] = differences[1];
      differences[1] = difference;
      smooth[0] = smooth[1];
      smooth[1] = smoothed;
    }
  }
}

float16 between(local const float* p, int stride, float4 k) {
  return vload16(0, p) * k.x + vload16(0, p + 1) * k.y + vload16(0, p + stride) * k.z +
         vload16(0, p + stride + 1) * k.w;
}

// k: weights / 512, which is exact.
int16 between_pixels(local const float* p, int stride, float4 k) {
  return convert_int16(between(p, stride, k) + 0.5f);
}

#define BETWEEN_SLOPES(slope, a, b, c, d, k)                                \
  ((slope(a) * (int)(k).x + slope(b) * (int)(k).y + slope(c) * (int)(k).z + \
    slope(d) * (int)(k).w + 8192) >>                                        \
   14)

// Entries right of the window and below it have derivatives of 0. No lane's sum exceeds
// 31 * 2 * (255 * 16)^2 < 2^31.
long3 take_window(const struct Window* w, float4 k) {
  const short4 whole = convert_short4(k);
  k *= 1 / 512.0f;
  int16 xx = 0, xy = 0, yy = 0;
  for (int y = 0; y < w->size; ++y) {
    for (int x = 0; x <= w->size; x += 16) {
      const int16 used = x + LANES < w->size;
      const int at = y * w->stride + x;
      const int to = y * w->moving_stride + x;
      local const int* p = w->slopes + at;
      const int16 a = vload16(0, p), b = vload16(0, p + 1);
      const int16 c = vload16(0, p + w->stride), d = vload16(0, p + w->stride + 1);
      const int16 dx = BETWEEN_SLOPES(SLOPE_RIGHT, a, b, c, d, whole) & used;
      const int16 dy = BETWEEN_SLOPES(SLOPE_DOWN, a, b, c, d, whole) & used;
      vstore16(between_pixels(w->still + at + w->stride + 1, w->stride, k), 0, w->value + to);
      vstore16(dx, 0, w->dx + to);
      vstore16(dy, 0, w->dy + to);
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
  }
  return (long3)(sum16(xx), sum16(xy), sum16(yy));
}

// Rows follow each other without a gap, so that vectors need not begin with one. No lane's sum
// exceeds 31 * 2 * (255 * 32) * (255 * 16) < 2^31.
long2 take_mismatch(const struct Window* w, float4 k) {
  k *= 1 / 512.0f;
  int16 bx = 0, by = 0;
  for (int i = 0; i < w->size * w->moving_stride; i += 16) {
    const int16 difference =
        between_pixels(w->moving + i, w->moving_stride, k) - vload16(0, w->value + i);
    bx += difference * vload16(0, w->dx + i);
    by += difference * vload16(0, w->dy + i);
  }
  return (long2)(sum16(bx), sum16(by));
}

struct Products take_products(const struct Window* w, float4 ka, float4 kb) {
  const int16 used = LANES < SQUARE;
  int16 a = 0, b = 0;
  long8 aa = 0, bb = 0, ab = 0;
  for (int y = 0; y < SQUARE; ++y) {
    const int16 va = convert_int16(between(w->still + y * w->stride, w->stride, ka)) & used;
    const int16 vb = convert_int16(between(w->moving + y * w->stride, w->stride, kb)) & used;
    a += va;
    b += vb;
    const long8 al = convert_long8(va.lo), ah = convert_long8(va.hi);
    const long8 bl = convert_long8(vb.lo), bh = convert_long8(vb.hi);
    aa += al * al + ah * ah;
    bb += bl * bl + bh * bh;
    ab += al * bl + ah * bh;
  }
  const struct Products products = {sum16(a), sum16(b), sum8(aa), sum8(bb), sum8(ab)};
  return products;
}
