// SPDX-License-Identifier: LGPL-2.1-or-later
// Similarities of many patches to those of a model, see lib/ops/patches/nearest_patches.h: first
// all inner products (a product of two matrices), then the largest of each row.
#include "parts/patch.cl"

#define TILE CLTRACK_NEAREST_TILE
#define PAIRS (STRIDE / 2)
#define ITEMS CLTRACK_NEAREST_ITEMS

struct Nearest {
  float positive;
  float conservative;
  float negative;
  int positive_index;
  int negative_index;
};

float similarity(int dot, float a, float b) {
  if (a == 0 || b == 0) return 0.5f;
  return 0.5f * ((float)dot / (a * b) + 1);
}

// The positives are compared TILE at a time, then the negatives.
struct Tile {
  global const struct Patch* model;
  int count;   // patches of the model
  int first;   // of them, in this tile
  int column;  // of the model's first patch in a row of similarities
};

// Tiles beyond the model have a count of no more than `first`.
struct Tile tile_of(int tile, global const struct Patch* patches, struct PatchJob job) {
  const int positive_tiles = (job.positives + TILE - 1) / TILE;
  if (tile < positive_tiles) {
    const struct Tile positive = {patches + job.first_positive, job.positives, tile * TILE, 0};
    return positive;
  }
  const struct Tile negative = {patches + job.first_negative, job.negatives,
                                (tile - positive_tiles) * TILE, job.positives};
  return negative;
}

// Queries are those of several jobs, queries_of_job each, of which the first counts[job] are used.
// A query's row has as many columns as the largest of the models has patches. Work-groups of TILE x
// TILE items compute as many similarities, of the job that is their number in the third direction.
kernel void patch_similarities(global const struct Patch* queries, global const uint* counts,
                               int queries_of_job, global const struct Patch* patches,
                               global const struct PatchJob* jobs, int columns,
                               global float* similarities) {
  // Rows of odd length, so that items that read one column use different banks.
  local short2 query_rows[TILE][PAIRS + 1];
  local short2 model_rows[TILE][PAIRS + 1];
  const int job = get_group_id(2);
  const struct Tile tile = tile_of(get_group_id(0), patches, jobs[job]);
  const int q_first = (int)get_group_id(1) * TILE;
  const int query_count = counts[job];
  if (q_first >= query_count || tile.first >= tile.count) return;
  global const struct Patch* own = queries + (size_t)job * queries_of_job;
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  for (int i = y * TILE + x; i < TILE * PAIRS; i += TILE * TILE) {
    const int row = i / PAIRS;
    const int pair = i % PAIRS;
    const int q = min(q_first + row, query_count - 1);
    const int m = min(tile.first + row, tile.count - 1);
    query_rows[row][pair] = vload2(pair, own[q].pixels);
    model_rows[row][pair] = vload2(pair, tile.model[m].pixels);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  const int q = q_first + y;
  const int m = tile.first + x;
  if (q >= query_count || m >= tile.count) return;
  int dot = 0;
  for (int i = 0; i < PAIRS; ++i) {
    const int2 a = convert_int2(query_rows[y][i]);
    const int2 b = convert_int2(model_rows[x][i]);
    dot += a.x * b.x + a.y * b.y;
  }
  similarities[((size_t)job * queries_of_job + q) * columns + tile.column + m] =
      similarity(dot, own[q].norm, tile.model[m].norm);
}

// The largest of this item's share of row[begin, end), and its place relative to begin.
float largest(global const float* row, int begin, int end, int* index) {
  float best = -1;
  *index = -1;
  for (int i = begin + (int)get_local_id(0); i < end; i += get_local_size(0)) {
    if (row[i] > best) {
      best = row[i];
      *index = i - begin;
    }
  }
  return best;
}

// The first of the largest of all items; valid in item 0 alone.
float reduce(float best, int* index, local float* values, local int* indices) {
  const int item = get_local_id(0);
  values[item] = best;
  indices[item] = *index;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (item < step) {
      const float other = values[item + step];
      const int other_index = indices[item + step];
      if (other > values[item] || (other == values[item] && other_index < indices[item])) {
        values[item] = other;
        indices[item] = other_index;
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  best = values[0];
  *index = indices[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  return best;
}

// One work-group of at most ITEMS items, a power of two, for each query of a job, times the jobs.
kernel void nearest_of(global const float* similarities, global const uint* counts,
                       global const struct PatchJob* jobs, int columns,
                       global struct Nearest* nearest) {
  local float values[ITEMS];
  local int indices[ITEMS];
  const int of_job = get_group_id(1);
  if ((uint)get_group_id(0) >= counts[of_job]) return;
  const struct PatchJob job = jobs[of_job];
  const int q = of_job * (int)get_num_groups(0) + (int)get_group_id(0);
  global const float* row = similarities + (size_t)q * columns;
  struct Nearest result;
  int index;
  const float early = largest(row, 0, min(job.conservative, job.positives), &index);
  result.conservative = reduce(early, &index, values, indices);
  const float positive = largest(row, 0, job.positives, &index);
  result.positive = reduce(positive, &index, values, indices);
  result.positive_index = index;
  const float negative = largest(row, job.positives, job.positives + job.negatives, &index);
  result.negative = reduce(negative, &index, values, indices);
  result.negative_index = index;
  if (get_local_id(0) == 0) nearest[q] = result;
}
