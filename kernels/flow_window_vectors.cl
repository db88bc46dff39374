// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl: the sums over a window by one work-item, eight pixels at a time. Rows have
// entries to spare; those right of the window count as zero.

// There is nobody else.
long2 added(const struct Window* w, long2 own) {
  (void)w;
  return own;
}

#define LANES ((int8)(0, 1, 2, 3, 4, 5, 6, 7))

long sum8(int8 v) {
  const long4 four = convert_long4(v.lo) + convert_long4(v.hi);
  const long2 two = four.lo + four.hi;
  return two.x + two.y;
}

// Scharr's derivatives at the (size + 1)^2 pixels that the window lies between.
void take_slopes(const struct Window* w, int left, int top, int width, int height) {
  for (int y = 0; y <= w->size; ++y) {
    const int8 row_inside = (int8)(top + y >= 0 && top + y < height ? -1 : 0);
    for (int x = 0; x <= w->size; x += 8) {
      local const float* p = w->still + y * w->stride + x;
      local const float* q = p + w->stride;
      local const float* r = q + w->stride;
      const float8 a = vload8(0, p), c = vload8(0, p + 2);
      const float8 g = vload8(0, r), i = vload8(0, r + 2);
      const float8 right = (c - a + i - g) * 3 + (vload8(0, q + 2) - vload8(0, q)) * 10;
      const float8 down = (g - a + i - c) * 3 + (vload8(0, r + 1) - vload8(0, p + 1)) * 10;
      const int8 column = left + x + LANES;
      const int8 inside = row_inside & (column >= 0) & (column < width);
      vstore8(convert_int8(right) & inside, 0, w->slope_x + y * w->stride + x);
      vstore8(convert_int8(down) & inside, 0, w->slope_y + y * w->stride + x);
    }
  }
}

int8 between_slopes(local const int* p, int stride, int4 k) {
  return (vload8(0, p) * k.x + vload8(0, p + 1) * k.y + vload8(0, p + stride) * k.z +
          vload8(0, p + stride + 1) * k.w + 8192) >>
         14;
}

float8 between_pixels(local const float* p, int stride, float4 k) {
  return floor((vload8(0, p) * k.x + vload8(0, p + 1) * k.y + vload8(0, p + stride) * k.z +
                vload8(0, p + stride + 1) * k.w + 256) *
               (1 / 512.0f));
}

// Fills value, dx and dy, returns the sums of dx * dx, dx * dy, dy * dy. No lane's sum over the
// rows of a window exceeds 31 * (255 * 16)^2 < 2^31.
long3 take_window(const struct Window* w, float4 k) {
  const int4 whole = convert_int4(k);
  long3 sums = 0;
  for (int x = 0; x < w->size; x += 8) {
    const int8 used = x + LANES < w->size;
    int8 xx = 0, xy = 0, yy = 0;
    for (int y = 0; y < w->size; ++y) {
      const int at = y * w->stride + x;
      const int8 dx = between_slopes(w->slope_x + at, w->stride, whole) & used;
      const int8 dy = between_slopes(w->slope_y + at, w->stride, whole) & used;
      vstore8(between_pixels(w->still + at + w->stride + 1, w->stride, k), 0, w->value + at);
      vstore8(dx, 0, w->dx + at);
      vstore8(dy, 0, w->dy + at);
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
    sums += (long3)(sum8(xx), sum8(xy), sum8(yy));
  }
  return sums;
}

// The sums of the window's differences times dx, and times dy.
long2 take_mismatch(const struct Window* w, float4 k) {
  long2 sums = 0;
  for (int x = 0; x < w->size; x += 8) {
    int8 bx = 0, by = 0;
    for (int y = 0; y < w->size; ++y) {
      const int at = y * w->stride + x;
      const int8 difference =
          convert_int8(between_pixels(w->moving + at, w->stride, k) - vload8(0, w->value + at));
      bx += difference * vload8(0, w->dx + at);
      by += difference * vload8(0, w->dy + at);
    }
    sums += (long2)(sum8(bx), sum8(by));
  }
  return sums;
}
