// SPDX-License-Identifier: LGPL-2.1-or-later
// The colours of targets and of their backgrounds, see lib/ops/filter/filter_colors.h. Work-group
// (g, j) has bins [g * chunk, (g + 1) * chunk) of job j: all of them do not fit into local memory.
// It reads the whole window and counts what is its own, then updates the shares of its bins.
#include "filter_types.h"

#define BINS CLTRACK_COLOR_BINS

// A rectangle of samples, cut off at the window's borders. See lib/ops/filter/filter_colors.h.
struct Box {
  int left, top, right, bottom;
};

struct Box inside_window(int left, int top, int right, int bottom, int side) {
  struct Box box;
  box.left = clamp(left, 0, side);
  box.top = clamp(top, 0, side);
  box.right = clamp(right, box.left, side);
  box.bottom = clamp(bottom, box.top, side);
  return box;
}

int area_of(struct Box box) { return (box.right - box.left) * (box.bottom - box.top); }

bool contains(struct Box box, int x, int y) {
  return x >= box.left && x < box.right && y >= box.top && y < box.bottom;
}

float share_of_sample(float rate, int samples) { return samples > 0 ? rate / (float)samples : 0; }

float new_share(float kept, uint count, float of_sample) {
  const float share = kept + (float)(int)count * of_sample;
  return share >= CLTRACK_LEAST_SHARE ? share : 0;
}

void count_one(local uint* count) {
  if (get_local_size(0) == 1) {  // on CPUs: no atomics are needed
    ++*count;
  } else {
    atomic_inc(count);
  }
}

// `counts`: 2 * chunk.
kernel void learn_colors(global const ushort* bins, int side,
                         global const struct ColorLearnJob* jobs, int chunk,
                         global float* histograms, global ushort* likelihoods, local uint* counts) {
  const int item = get_local_id(0), items = get_local_size(0);
  const int first = (int)get_group_id(0) * chunk;
  const struct ColorLearnJob job = jobs[get_group_id(1)];
  const struct Box inner =
      inside_window(job.inner_left, job.inner_top, job.inner_right, job.inner_bottom, side);
  const struct Box outer =
      inside_window(job.outer_left, job.outer_top, job.outer_right, job.outer_bottom, side);
  local uint* target = counts;
  local uint* background = counts + chunk;
  for (int i = item; i < 2 * chunk; i += items) counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  bins += (size_t)job.window * side * side;
  for (int i = item; i < side * side; i += items) {
    const int bin = (int)bins[i] - first;
    if (bin < 0 || bin >= chunk) continue;
    const int x = i % side, y = i / side;
    if (contains(inner, x, y)) count_one(target + bin);
    if (!contains(outer, x, y)) count_one(background + bin);
  }
  barrier(CLK_LOCAL_MEM_FENCE);

  const float of_target = share_of_sample(job.rate, area_of(inner));
  const float of_background = share_of_sample(job.rate, side * side - area_of(outer));
  const float keep = 1 - job.rate;
  global float* target_shares = histograms + (size_t)job.slot * 2 * BINS + first;
  global float* background_shares = target_shares + BINS;
  likelihoods += (size_t)job.slot * BINS + first;
  for (int i = item; i < chunk; i += items) {
    const float own = new_share(keep > 0 ? keep * target_shares[i] : 0, target[i], of_target);
    const float other =
        new_share(keep > 0 ? keep * background_shares[i] : 0, background[i], of_background);
    target_shares[i] = own;
    background_shares[i] = other;
    const float sum = own + other;
    const float share = own / (sum < CLTRACK_LEAST_SHARE ? CLTRACK_LEAST_SHARE : sum);
    likelihoods[i] = (ushort)(int)(share * 65535.0f + 0.5f);
  }
}
