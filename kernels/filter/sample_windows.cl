// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of a picture, see lib/ops/filter/sample_windows.h: a work-item makes a sample, dimension
// 1 of the launch is the window.
#include "filter_types.h"

#define PIXEL CLTRACK_WINDOW_PIXEL

// See lib/ops/filter/window_axis.h.
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

kernel void sample_windows(global const uchar* pixels, struct PlaneLayout plane,
                           global const struct WindowJob* jobs, int side, global ushort* samples) {
  const int sample = get_global_id(0);
  if (sample >= side * side) return;
  const struct WindowJob job = jobs[get_global_id(1)];
  const struct Span rows = inside_of(span_of(job.y, job.step_y, sample / side), plane.height);
  const struct Span columns = inside_of(span_of(job.x, job.step_x, sample % side), plane.width);
  const float row_scale = CLTRACK_GREY_SAMPLES / (float)(rows.end - rows.begin);
  long sum = 0;
  for (int x = columns.first; x <= columns.last; ++x) {
    int column = 0;
    for (int y = rows.first; y <= rows.last; ++y) {
      column += weight_of(rows, y) * pixels[plane.offset + (size_t)y * plane.stride + x];
    }
    const int mean = (int)((float)column * row_scale + 0.5f);
    sum += (long)weight_of(columns, x) * mean;
  }
  const float mean = (float)sum * (1 / (float)(columns.end - columns.begin));
  samples[(size_t)get_global_id(1) * side * side + sample] = (ushort)(mean + 0.5f);
}
