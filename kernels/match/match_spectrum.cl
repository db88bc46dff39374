// SPDX-License-Identifier: LGPL-2.1-or-later
// Products of a template with all patches of a plane, in frequency space: the transforms of rows,
// and both transforms of columns; see lib/ops/match/best_match_device.cpp. Spectra between rows and
// columns have a row for each row of the plane and width / 2 + 1 columns: rows are real.
//
// `work` has 2 * count * length values for each work-group.
#include "parts/box_sums.cl"
#include "parts/fft.cl"

// Work-group g: rows 2 g and 2 g + 1, as one complex transform, less `fixed_level`, or, if that is
// negative, less the plane's mean.
kernel void spectrum_rows(global const uchar* pixels, struct PlaneLayout plane,
                          global const uint* sums, int fixed_level, struct FftStages stages,
                          int rows, global const float2* twiddles, global float2* spectrum,
                          FFT_SPACE float2* work) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int length = stages.length;
  const int level = fixed_level < 0 ? plane_level(sums, plane.width, plane.height) : fixed_level;
  const int y = 2 * (int)get_group_id(0);
  FFT_SPACE float2* data = OWN_WORK(length);
  global const uchar* first = pixels + plane.offset + (size_t)y * plane.stride;
  const int has_first = y < plane.height;
  const int has_second = y + 1 < plane.height;
  for (int x = item; x < length; x += items) {
    float2 value = 0;
    if (x < plane.width) {
      if (has_first) value.x = (int)first[x] - level;
      if (has_second) value.y = (int)first[(size_t)plane.stride + x] - level;
    }
    data[x] = value;
  }
  FFT_SPACE const float2* z = fft(data, data + length, 1, &stages, twiddles);
  const int columns = length / 2 + 1;
  global float2* to = spectrum + (size_t)y * columns;
  for (int k = item; k < columns; k += items) {
    const float2 a = z[k], b = z[k == 0 ? 0 : length - k];
    to[k] = 0.5f * (float2)(a.x + b.x, a.y - b.y);
    if (y + 1 < rows) to[columns + k] = 0.5f * (float2)(a.y + b.y, b.x - a.x);
  }
}

// Columns [first, first + count) out of a spectrum of `columns`, transformed.
FFT_SPACE float2* forward_columns(global const float2* spectrum, int columns, int first, int count,
                                  const struct FftStages* stages, global const float2* twiddles,
                                  FFT_SPACE float2* data, FFT_SPACE float2* other) {
  const int items = get_local_size(0);
  const int length = stages->length;
  for (int i = get_local_id(0); i < count * length; i += items) {
    const int y = i / count;
    const int c = i - y * count;
    data[c * length + y] = spectrum[(size_t)y * columns + first + c];
  }
  return fft(data, other, count, stages, twiddles);
}

// The template's spectrum, column by column: conjugated and scaled. Work-group g: columns from
// g * most on.
kernel void template_columns(global const float2* spectrum, int columns, int most,
                             struct FftStages stages, global const float2* twiddles, float scale,
                             global float2* conjugated, FFT_SPACE float2* work) {
  const int items = get_local_size(0);
  const int length = stages.length;
  const int first = (int)get_group_id(0) * most;
  const int count = min(most, columns - first);
  FFT_SPACE float2* data = OWN_WORK(most * length);
  FFT_SPACE const float2* result = forward_columns(spectrum, columns, first, count, &stages,
                                                   twiddles, data, data + most * length);
  global float2* to = conjugated + (size_t)first * length;
  for (int i = get_local_id(0); i < count * length; i += items) {
    to[i] = (float2)(scale * result[i].x, -scale * result[i].y);
  }
}

// The plane's columns, times the template's, and their inverse transform: the first `rows` rows, in
// place. products[g] is the sum of the squares of work-group g's part of the product. `sums` has
// one entry for each work-item, of which there is a power of two.
kernel void correlate_columns(global float2* spectrum, int columns, int most,
                              struct FftStages stages, global const float2* twiddles,
                              global const float2* conjugated, int rows, global float* products,
                              FFT_SPACE float2* work, local float* sums) {
  const int item = get_local_id(0);
  const int items = get_local_size(0);
  const int length = stages.length;
  const int first = (int)get_group_id(0) * most;
  const int count = min(most, columns - first);
  FFT_SPACE float2* data = OWN_WORK(most * length);
  FFT_SPACE float2* values = forward_columns(spectrum, columns, first, count, &stages, twiddles,
                                             data, data + most * length);
  global const float2* t = conjugated + (size_t)first * length;
  float sum = 0;
  for (int i = item; i < count * length; i += items) {
    const float2 product = times(values[i], t[i]);
    sum += product.x * product.x + product.y * product.y;
    values[i] = product.yx;  // exchanged, for the inverse
  }
  sums[item] = sum;
  for (int step = items / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (item < step) sums[item] += sums[item + step];
  }
  if (item == 0) products[get_group_id(0)] = sums[0];

  FFT_SPACE float2* other = values == data ? data + most * length : data;
  FFT_SPACE const float2* result = fft(values, other, count, &stages, twiddles);
  for (int i = item; i < count * rows; i += items) {
    const int y = i / count;
    const int c = i - y * count;
    spectrum[(size_t)y * columns + first + c] = result[c * length + y].yx;
  }
}
