// SPDX-License-Identifier: LGPL-2.1-or-later
// Histograms of oriented gradients, see lib/ops/filter/hog.h, in two steps: hog_histograms counts,
// hog_features divides. A work-item takes a cell; dimension 1 of the launch is the window.
#include "filter_types.h"

#define CELL CLTRACK_CELL_SIDE
#define DIRECTIONS CLTRACK_HOG_DIRECTIONS
#define CHANNELS CLTRACK_HOG_CHANNELS

// See lib/ops/filter/hog.h.
constant int halfway_cos[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_COS;
constant int halfway_sin[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_SIN;

int direction_of(int dx, int dy) {
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const int x = is_lower ? -dx : dx;
  const int y = is_lower ? -dy : dy;
  int direction = is_lower ? DIRECTIONS / 2 : 0;
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES; ++k) {
    direction += y * halfway_cos[k] - x * halfway_sin[k] >= 0;
  }
  return direction >= DIRECTIONS ? direction - DIRECTIONS : direction;
}

float cut(float value) { return value < CLTRACK_HOG_CUT ? value : CLTRACK_HOG_CUT; }

// An entry of a histogram in grey levels: samples are 64 times, weights 8 x 8 times.
float value_of(uint entry) { return (float)(int)entry * (1.0f / (CLTRACK_GREY_SAMPLES * 64)); }

#define ITEMS (CLTRACK_HOG_TILE * CLTRACK_HOG_TILE)
// Along a side of what a tile's cells look at: samples, and cells.
#define SPAN (CLTRACK_HOG_TILE * CELL + CELL)
#define SPAN_CELLS (CLTRACK_HOG_TILE + 1)

// Neighbouring items read neighbouring places.
int place_of(int x, int y) {
  return ((x % CELL * CELL + y % CELL) * SPAN_CELLS + x / CELL) * SPAN_CELLS + y / CELL;
}

// Histograms of all windows: entry direction * cells * cells + x * cells + y of each; `greys` has
// the sums of samples, `energies` the squares of what blocks are divided by. A work-group takes a
// tile of a window's cells: it makes the gradients that four cells share once.
kernel void hog_histograms(global const ushort* samples, int cells, global uint* histograms,
                           global uint* greys, global float* energies) {
  local uint gradients[SPAN * SPAN];  // length * 32 + direction
  local uint histogram[DIRECTIONS][ITEMS];
  const int all = cells * cells;
  const int side = cells * CELL;
  const int tiles = (cells + CLTRACK_HOG_TILE - 1) / CLTRACK_HOG_TILE;
  const int tile = get_group_id(0);
  const int item = get_local_id(0);
  const int first_x = tile / tiles * CLTRACK_HOG_TILE, first_y = tile % tiles * CLTRACK_HOG_TILE;
  const size_t window = get_group_id(1);
  global const ushort* own = samples + window * side * side;
  for (int i = item; i < SPAN * SPAN; i += ITEMS) {
    const int x = first_x * CELL - CELL / 2 + i % SPAN;
    const int y = first_y * CELL - CELL / 2 + i / SPAN;
    uint gradient = 0;
    if (x >= 0 && x < side && y >= 0 && y < side) {
      global const ushort* row = own + y * side;
      const int dx = (int)row[min(x + 1, side - 1)] - (int)row[max(x - 1, 0)];
      const int dy = (int)own[min(y + 1, side - 1) * side + x] - (int)own[max(y - 1, 0) * side + x];
      const uint length = (uint)(sqrt((float)(dx * dx + dy * dy)) + 0.5f);
      gradient = length * 32 + (uint)direction_of(dx, dy);
    }
    gradients[place_of(i % SPAN, i / SPAN)] = gradient;
  }
  for (int d = 0; d < DIRECTIONS; ++d) histogram[d][item] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  const int tile_x = item / CLTRACK_HOG_TILE, tile_y = item % CLTRACK_HOG_TILE;
  const int cell_x = first_x + tile_x, cell_y = first_y + tile_y;
  if (cell_x >= cells || cell_y >= cells) return;
  for (int j = 0; j < 2 * CELL; ++j) {
    const int weight_y = 2 * CELL - abs(2 * j + 1 - 2 * CELL);
    for (int i = 0; i < 2 * CELL; ++i) {
      const uint gradient = gradients[place_of(tile_x * CELL + i, tile_y * CELL + j)];
      const int weight = weight_y * (2 * CELL - (int)abs(2 * i + 1 - 2 * CELL));
      histogram[gradient % 32][item] += (uint)weight * (gradient / 32);
    }
  }
  uint grey = 0;
  for (int j = 0; j < CELL; ++j) {
    global const ushort* row = own + (cell_y * CELL + j) * side + cell_x * CELL;
    for (int i = 0; i < CELL; ++i) grey += row[i];
  }
  const int cell = cell_x * cells + cell_y;
  float energy = 0;
  for (int d = 0; d < DIRECTIONS / 2; ++d) {
    const float both = value_of(histogram[d][item] + histogram[d + DIRECTIONS / 2][item]);
    energy += both * both;
  }
  for (int d = 0; d < DIRECTIONS; ++d) {
    histograms[window * DIRECTIONS * all + d * all + cell] = histogram[d][item];
  }
  greys[window * all + cell] = grey;
  energies[window * all + cell] = energy;
}

kernel void hog_features(global const uint* histograms, global const uint* greys,
                         global const float* energies, int cells, global float* features) {
  const int all = cells * cells;
  const int cell = get_global_id(0);
  if (cell >= all) return;
  const int x = cell / cells, y = cell % cells;
  const size_t window = get_global_id(1);
  histograms += window * DIRECTIONS * all + cell;
  energies += window * all;
  features += window * CHANNELS * all + cell;
  float norms[4], totals[4];
  for (int block = 0; block < 4; ++block) {
    const int next_x = clamp(x + (block % 2 == 0 ? -1 : 1), 0, cells - 1);
    const int next_y = clamp(y + (block / 2 == 0 ? -1 : 1), 0, cells - 1);
    norms[block] =
        1 / sqrt(energies[cell] + energies[next_x * cells + y] + energies[x * cells + next_y] +
                 energies[next_x * cells + next_y] + CLTRACK_HOG_FLOOR);
    totals[block] = 0;
  }
  for (int d = 0; d < DIRECTIONS; ++d) {
    const float value = value_of(histograms[d * all]);
    float sum = 0;
    for (int block = 0; block < 4; ++block) {
      const float part = cut(value * norms[block]);
      sum += part;
      totals[block] += part;
    }
    features[d * all] = 0.5f * sum;
  }
  for (int d = 0; d < DIRECTIONS / 2; ++d) {
    const uint both = histograms[d * all] + histograms[(d + DIRECTIONS / 2) * all];
    const float value = value_of(both);
    float sum = 0;
    for (int block = 0; block < 4; ++block) sum += cut(value * norms[block]);
    features[(DIRECTIONS + d) * all] = 0.5f * sum;
  }
  for (int block = 0; block < 4; ++block)
    features[(27 + block) * all] = CLTRACK_HOG_TEXTURE * totals[block];
  features[31 * all] =
      (float)(int)greys[window * all + cell] * (1.0f / (CELL * CELL * CLTRACK_GREY_SAMPLES * 255)) -
      0.5f;
}
