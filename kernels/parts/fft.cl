// SPDX-License-Identifier: LGPL-2.1-or-later
// Complex Fourier transforms of one work-group, see lib/ops/fourier/fft_plan.h. With
// -DLONG_TRANSFORMS they are in global memory, for lengths that do not fit into the local one.
// OWN_WORK is what a work-group has of a kernel's argument `work`: 2 * values.
#include "kernel_types.h"

#ifdef LONG_TRANSFORMS
#define FFT_SPACE global
#define OWN_WORK(values) (work + (size_t)get_group_id(0) * 2 * (values))
#define FFT_FENCE (CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#else
#define FFT_SPACE local
#define OWN_WORK(values) work
#define FFT_FENCE CLK_LOCAL_MEM_FENCE
#endif

float2 times(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
float2 turned_back(float2 a) { return (float2)(a.y, -a.x); }  // times -i

// `from` has the values of a butterfly `step` apart; results go to `to`, `stride` apart.
void butterfly2(FFT_SPACE const float2* from, int step, FFT_SPACE float2* to, int stride,
                global const float2* w) {
  const float2 a = from[0], b = from[step];
  to[0] = a + b;
  to[stride] = times(a - b, w[0]);
}

void butterfly3(FFT_SPACE const float2* from, int step, FFT_SPACE float2* to, int stride,
                global const float2* w) {
  const float2 a = from[0], b = from[step], c = from[2 * step];
  const float2 sum = b + c;
  const float2 turned = turned_back(0.866025403784438647f * (b - c));
  const float2 middle = a - 0.5f * sum;
  to[0] = a + sum;
  to[stride] = times(middle + turned, w[0]);
  to[2 * stride] = times(middle - turned, w[1]);
}

void butterfly4(FFT_SPACE const float2* from, int step, FFT_SPACE float2* to, int stride,
                global const float2* w) {
  const float2 a = from[0], b = from[step], c = from[2 * step], d = from[3 * step];
  const float2 even = a + c, even_gap = a - c;
  const float2 odd = b + d, turned = turned_back(b - d);
  to[0] = even + odd;
  to[stride] = times(even_gap + turned, w[0]);
  to[2 * stride] = times(even - odd, w[1]);
  to[3 * stride] = times(even_gap - turned, w[2]);
}

void butterfly5(FFT_SPACE const float2* from, int step, FFT_SPACE float2* to, int stride,
                global const float2* w) {
  const float cos1 = 0.309016994374947424f, cos2 = -0.809016994374947424f;
  const float sin1 = 0.951056516295153572f, sin2 = 0.587785252292473129f;
  const float2 a = from[0];
  const float2 sum1 = from[step] + from[4 * step], gap1 = from[step] - from[4 * step];
  const float2 sum2 = from[2 * step] + from[3 * step], gap2 = from[2 * step] - from[3 * step];
  const float2 flat1 = a + (cos1 * sum1 + cos2 * sum2);
  const float2 flat2 = a + (cos2 * sum1 + cos1 * sum2);
  const float2 turned1 = turned_back(sin1 * gap1 + sin2 * gap2);
  const float2 turned2 = turned_back(sin2 * gap1 - sin1 * gap2);
  to[0] = a + (sum1 + sum2);
  to[stride] = times(flat1 + turned1, w[0]);
  to[2 * stride] = times(flat2 + turned2, w[1]);
  to[3 * stride] = times(flat2 - turned2, w[2]);
  to[4 * stride] = times(flat1 - turned1, w[3]);
}

// Transforms `count` rows of stages->length in `data`, one behind the other, with as much memory
// in `other`; returns which of both has the results, for all work-items to see. What is in `data`
// needs no barrier before.
FFT_SPACE float2* fft(FFT_SPACE float2* data, FFT_SPACE float2* other, int count,
                      const struct FftStages* stages, global const float2* twiddles) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int length = stages->length;
  int stride = 1;
  for (int s = 0; s < stages->count; ++s) {
    const int radix = stages->radices[s];
    const int step = length / radix;  // as many butterflies
    barrier(FFT_FENCE);
    for (int i = item; i < count * step; i += items) {
      const int row = i / step;
      const int own = i - row * step;
      const int p = own / stride;
      FFT_SPACE const float2* from = data + row * length + own;
      FFT_SPACE float2* to = other + row * length + own + p * stride * (radix - 1);
      global const float2* w = twiddles + p * (radix - 1);
      if (radix == 4) {
        butterfly4(from, step, to, stride, w);
      } else if (radix == 3) {
        butterfly3(from, step, to, stride, w);
      } else if (radix == 5) {
        butterfly5(from, step, to, stride, w);
      } else {
        butterfly2(from, step, to, stride, w);
      }
    }
    twiddles += step / stride * (radix - 1);
    stride *= radix;
    FFT_SPACE float2* swapped = data;
    data = other;
    other = swapped;
  }
  barrier(FFT_FENCE);
  return data;
}
