// SPDX-License-Identifier: LGPL-2.1-or-later
// A sample of a window, see lib/ops/filter/sample_windows.h. WINDOW_VALUE is the type of what it is
// taken out of, WINDOW_UNIT how many values of a sample are one of these.
#include "filter_types.h"

#define PIXEL CLTRACK_WINDOW_PIXEL

// See lib/ops/filter/sample_windows.h.
struct Span {
  int begin, end;   // 1/4096 pixel
  int first, last;  // pixels
};

struct Span span_of(int start, int step, int sample) {
  struct Span span;
  span.begin = start + sample * step;
  span.end = span.begin + step;
  if (step < PIXEL) {
    span.begin -= (PIXEL - step) / 2;
    span.end = span.begin + PIXEL;
  }
  span.first = span.begin >> CLTRACK_WINDOW_PIXEL_BITS;
  span.last = (span.end - 1) >> CLTRACK_WINDOW_PIXEL_BITS;
  return span;
}

// The pixels of [0, count) that stand for the span: what is beyond them is the outermost ones'.
struct Span inside_of(struct Span span, int count) {
  span.first = clamp(span.first, 0, count - 1);
  span.last = clamp(span.last, 0, count - 1);
  return span;
}

int weight_of(struct Span span, int p) {
  const int begin = p == span.first ? span.begin : p * PIXEL;
  const int end = p == span.last ? span.end : (p + 1) * PIXEL;
  return end - begin;
}

// Sample `sample` of a window of side x side; rows of the source are `stride` values apart.
ushort window_sample(global const WINDOW_VALUE* source, int width, int height, int stride,
                     const struct WindowJob job, int side, int sample) {
  const struct Span rows = inside_of(span_of(job.y, job.step_y, sample / side), height);
  const struct Span columns = inside_of(span_of(job.x, job.step_x, sample % side), width);
  const float row_scale = WINDOW_UNIT / (float)(rows.end - rows.begin);
  const int first_weight = weight_of(rows, rows.first), last_weight = weight_of(rows, rows.last);
  const int step = rows.last > rows.first ? (rows.last - rows.first) * stride : 0;
  long sum = 0;
  for (int x = columns.first; x <= columns.last; ++x) {
    global const WINDOW_VALUE* value = source + (size_t)rows.first * stride + x;
    // Rows between the first and the last one have the weight of a whole pixel.
    int inner = 0;
    for (int at = stride; at < step; at += stride) inner += value[at];
    int column = first_weight * value[0] + PIXEL * inner;
    if (step > 0) column += last_weight * value[step];
    const int mean = (int)((float)column * row_scale + 0.5f);
    sum += (long)weight_of(columns, x) * mean;
  }
  const float mean = (float)sum * (1 / (float)(columns.end - columns.begin));
  return (ushort)(mean + 0.5f);
}
