// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl: the sums over a window by a group of work-items, pixel by pixel.

// Both numbers added over the group; every work-item gets the sums.
long2 added(const struct Window* w, long2 own) {
  w->sums[w->item] = own;
  for (int items = ITEMS / 2; items > 0; items /= 2) {
    SYNC();
    if (w->item < items) w->sums[w->item] += w->sums[w->item + items];
  }
  SYNC();
  own = w->sums[0];
  SYNC();
  return own;
}

void take_slopes(const struct Window* w, int left, int top, int width, int height) {
  const int side = w->size + 1;
  for (int i = w->item; i < side * side; i += ITEMS) {
    const int y = i / side;
    const int x = i - y * side;
    local const float* p = w->still + y * w->stride + x;
    local const float* q = p + w->stride;
    local const float* r = q + w->stride;
    const bool inside = left + x >= 0 && left + x < width && top + y >= 0 && top + y < height;
    w->slope_x[y * w->stride + x] =
        inside ? (int)((p[2] - p[0] + r[2] - r[0]) * 3 + (q[2] - q[0]) * 10) : 0;
    w->slope_y[y * w->stride + x] =
        inside ? (int)((r[0] - p[0] + r[2] - p[2]) * 3 + (r[1] - p[1]) * 10) : 0;
  }
  SYNC();
}

int between_slopes(local const int* p, int stride, int4 k) {
  return (p[0] * k.x + p[1] * k.y + p[stride] * k.z + p[stride + 1] * k.w + 8192) >> 14;
}

float between_pixels(local const float* p, int stride, float4 k) {
  return floor((p[0] * k.x + p[1] * k.y + p[stride] * k.z + p[stride + 1] * k.w + 256) *
               (1 / 512.0f));
}

// Goes to the pixel ITEMS further on.
void advance(const struct Window* w, int2* pixel) {
  *pixel += w->step;
  if (pixel->x >= w->size) *pixel += (int2)(-w->size, 1);
}

long3 take_window(const struct Window* w, float4 k) {
  const int4 whole = convert_int4(k);
  long xx = 0, xy = 0, yy = 0;
  int2 pixel = w->first;
  for (; pixel.y < w->size; advance(w, &pixel)) {
    const int at = pixel.y * w->stride + pixel.x;
    const int dx = between_slopes(w->slope_x + at, w->stride, whole);
    const int dy = between_slopes(w->slope_y + at, w->stride, whole);
    w->value[at] = between_pixels(w->still + at + w->stride + 1, w->stride, k);
    w->dx[at] = dx;
    w->dy[at] = dy;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return (long3)(added(w, (long2)(xx, xy)), added(w, (long2)(yy, 0)).x);
}

long2 take_mismatch(const struct Window* w, float4 k) {
  int bx = 0, by = 0;
  int2 pixel = w->first;
  for (; pixel.y < w->size; advance(w, &pixel)) {
    const int at = pixel.y * w->stride + pixel.x;
    const int difference = between_pixels(w->moving + at, w->stride, k) - w->value[at];
    bx += difference * w->dx[at];
    by += difference * w->dy[at];
  }
  return added(w, (long2)(bx, by));
}
