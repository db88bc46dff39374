// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of point_flow.cl, for GPUs: the sums over a window by a group of work-items, pixel by pixel.

#define SYNC() barrier(CLK_LOCAL_MEM_FENCE)

// To the pixel ITEMS further on.
void advance(struct Walk* walk) {
  walk->pixel += walk->step;
  if (walk->pixel.x >= walk->side) walk->pixel += (int2)(-walk->side, 1);
}

// All barriers are outside of conditions: PoCL copies all code behind a barrier in a condition.
void stage(const struct Window* w, struct Picture picture, int level, int left, int top, int side,
           int stride, bool mirrors, bool is_staged, local float* dst) {
  const struct PlaneLayout at = picture.all->levels[level];
  global const uchar* src = picture.pixels + at.offset;
  SYNC();
  const int rows = is_staged ? 0 : side;
  for (struct Walk walk = walk_through(side, w->item); walk.pixel.y < rows; advance(&walk)) {
    const int x = walk.pixel.x;
    const int y = walk.pixel.y;
    const int u = mirrors ? mirrored(left + x, at.width) : clamp(left + x, 0, at.width - 1);
    const int v = mirrors ? mirrored(top + y, at.height) : clamp(top + y, 0, at.height - 1);
    dst[y * stride + x] = src[(size_t)v * at.stride + u];
  }
  SYNC();
}

// The sums of both numbers over the group, for every work-item. In two steps, each of the PARTS
// sums of the first step by one item, because barriers take longer than additions.
long2 added(const struct Window* w, long2 own) {
  w->sums[w->item] = own;
  SYNC();
  local long2* parts = w->sums + ITEMS;
  if (w->item < PARTS) {
    long2 part = 0;
    for (int i = w->item; i < ITEMS; i += PARTS) part += w->sums[i];
    parts[w->item] = part;
  }
  SYNC();
  long2 sum = 0;
  for (int i = 0; i < PARTS; ++i) sum += parts[i];
  return sum;
}

void take_slopes(const struct Window* w, int left, int top, int width, int height) {
  const int side = w->size + 1;
  for (struct Walk walk = walk_through(side, w->item); walk.pixel.y < side; advance(&walk)) {
    const int x = walk.pixel.x;
    const int y = walk.pixel.y;
    local const float* p = w->still + y * w->stride + x;
    local const float* q = p + w->stride;
    local const float* r = q + w->stride;
    const bool inside = left + x >= 0 && left + x < width && top + y >= 0 && top + y < height;
    const int right = (int)((p[2] - p[0] + r[2] - r[0]) * 3 + (q[2] - q[0]) * 10);
    const int down = (int)((r[0] - p[0] + r[2] - p[2]) * 3 + (r[1] - p[1]) * 10);
    w->slopes[y * w->stride + x] = inside ? SLOPES(right, down) : 0;
  }
  SYNC();
}

int between_slopes(int4 slopes, int4 k) {
  const int4 weighed = slopes * k;
  return (weighed.x + weighed.y + weighed.z + weighed.w + 8192) >> 14;
}

int between_pixels(local const float* p, int stride, float4 k) {
  return (int)((p[0] * k.x + p[1] * k.y + p[stride] * k.z + p[stride + 1] * k.w + 256) *
               (1 / 512.0f));
}

long3 take_window(const struct Window* w, float4 k) {
  const int4 whole = convert_int4(k);
  long xx = 0, xy = 0, yy = 0;
  for (struct Walk walk = w->walk; walk.pixel.y < w->size; advance(&walk)) {
    const int2 pixel = walk.pixel;
    const int at = pixel.y * w->stride + pixel.x;
    local const int* p = w->slopes + at;
    const int4 slopes = (int4)(p[0], p[1], p[w->stride], p[w->stride + 1]);
    const int dx = between_slopes(SLOPE_RIGHT(slopes), whole);
    const int dy = between_slopes(SLOPE_DOWN(slopes), whole);
    const int to = pixel.y * w->moving_stride + pixel.x;
    w->value[to] = between_pixels(w->still + at + w->stride + 1, w->stride, k);
    w->dx[to] = dx;
    w->dy[to] = dy;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return (long3)(added(w, (long2)(xx, xy)), added(w, (long2)(yy, 0)).x);
}

long2 take_mismatch(const struct Window* w, float4 k) {
  int bx = 0, by = 0;
  for (struct Walk walk = w->walk; walk.pixel.y < w->size; advance(&walk)) {
    const int at = walk.pixel.y * w->moving_stride + walk.pixel.x;
    const int difference = between_pixels(w->moving + at, w->moving_stride, k) - w->value[at];
    bx += difference * w->dx[at];
    by += difference * w->dy[at];
  }
  return added(w, (long2)(bx, by));
}

struct Products take_products(const struct Window* w, float4 ka, float4 kb) {
  long a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  for (int i = w->item; i < SQUARE * SQUARE; i += ITEMS) {
    const int at = i / SQUARE * w->stride + i % SQUARE;
    local const float* p = w->still + at;
    local const float* q = w->moving + at;
    const long va =
        (int)(p[0] * ka.x + p[1] * ka.y + p[w->stride] * ka.z + p[w->stride + 1] * ka.w);
    const long vb =
        (int)(q[0] * kb.x + q[1] * kb.y + q[w->stride] * kb.z + q[w->stride + 1] * kb.w);
    a += va;
    b += vb;
    aa += va * va;
    bb += vb * vb;
    ab += va * vb;
  }
  const long2 sums = added(w, (long2)(a, b));
  const long2 squares = added(w, (long2)(aa, bb));
  const struct Products products = {sums.x, sums.y, squares.x, squares.y,
                                    added(w, (long2)(ab, 0)).x};
  return products;
}
