// SPDX-License-Identifier: LGPL-2.1-or-later
// What scan.cl does, for CPUs: a work-item scans a row of windows. Neighbouring windows compare
// neighbouring pixels, so that one comparison of two vectors gives a pair's bit for all pixel
// columns of a block at once. Blocks begin at windows that passed the variance filter. Several
// blocks go through the ferns together, so that a fern's posteriors stay in the cache.
#include "parts/scan_ferns.cl"

#define HIGH_PAIRS (PAIRS > 8 ? PAIRS - 8 : 0)
#define BLOCKS 8

// Vectors of 32 bytes where the compiler has them.
#ifdef __clang__
#define LANES 32
typedef uchar Bytes __attribute__((ext_vector_type(LANES)));
typedef uchar LooseBytes __attribute__((ext_vector_type(LANES), aligned(1)));
#define LOAD(p) (*(global const LooseBytes*)(p))
#define STORE(v, p) (*(LooseBytes*)(p) = (v))
#define BRIGHTER(a, b) __builtin_astype((a) > (b), Bytes)
#else
#define LANES 16
typedef uchar16 Bytes;
#define LOAD(p) vload16(0, p)
#define STORE(v, p) vstore16(v, 0, p)
#define BRIGHTER(a, b) as_uchar16((a) > (b))
#endif

#define COLUMNS (BLOCKS * LANES)

// Puts the results of `count` comparisons at LANES pixel columns into one byte each.
void compare(global const uchar* window, const int* offsets, int count, uchar* bits) {
  Bytes all = 0;
  uchar bit = (uchar)(1 << count >> 1);  // the first pair's
  for (int p = 0; p < count; ++p) {
    const Bytes a = LOAD(window + offsets[2 * p]);
    const Bytes b = LOAD(window + offsets[2 * p + 1]);
    all |= BRIGHTER(a, b) & (Bytes)bit;
    bit >>= 1;
  }
  STORE(all, bits);
}

kernel void scan_rows(global const uchar* pixels, struct PlaneLayout plane, global const uint* sums,
                      global const ulong* squares, global const struct ScanJob* jobs,
                      global const struct ScanRegion* regions,
                      global const struct WindowLayout* sizes, global const int* edges,
                      global const short4* pairs, global const struct WindowPart* parts,
                      int part_count, global const ushort* posteriors, uint minimum_score,
                      global struct Candidate* found, global ushort* found_codes,
                      global uint* counts) {
  const int row = get_global_id(0);
  if (row >= part_count) return;
  const struct WindowPart part = parts[row];
  const struct WindowLayout size = sizes[part.size];
  const struct ScanRegion region = regions[size.job];
  global const ushort* tables = posteriors + tables_of(size.job, jobs);
  global const int* xs = edges + size.xs;
  const int grid_row = part.place / size.columns;
  const int y = edges[size.ys + grid_row];
  const bool is_whole = has_turn(region, grid_row, grid_row);
  if (!is_whole && !meets(region, part.size, size.height, y, y)) {
    counts[row] = 0;
    return;
  }
  global const uchar* line = pixels + plane.offset + (size_t)y * plane.stride;
  const int last_block = plane.width - size.width + 1 - LANES;
  const size_t top = (size_t)y * (plane.width + 1);
  const size_t bottom = top + (size_t)size.height * (plane.width + 1);
  const ulong area = (ulong)(size.width * size.height);

  int offsets[2 * FERNS * PAIRS];
  for (int i = 0; i < FERNS * PAIRS; ++i) {
    const short4 at = pairs[size.pairs + i];
    offsets[2 * i] = at.y * plane.stride + at.x;
    offsets[2 * i + 1] = at.w * plane.stride + at.z;
  }

  // Of these windows: column of the grid, byte in `high` and `low`.
  int columns[COLUMNS];
  ushort lanes[COLUMNS];
  uint scores[COLUMNS];
  ushort codes[FERNS][COLUMNS];
  int blocks[BLOCKS];
  // Of the current fern, for each pixel column: the code's bits from 8 on, and those below 8.
  uchar high[COLUMNS];
  uchar low[COLUMNS];

  size_t place = part.slot;
  int column = 0;
  int end = size.columns;
  if (!is_whole) {
    while (column < end && xs[column] < region.left) ++column;
    while (end > column && xs[end - 1] + size.width > region.right) --end;
  }
  while (column < end) {
    int count = 0;
    int block_count = 0;
    int covered = 0;  // pixel columns before it are in a block
    for (; column < end; ++column) {
      const int x = xs[column];
      if (x >= covered && block_count == BLOCKS) break;
      if (!varied(sums, squares, size.width, area, top + x, bottom + x, size.minimum_variance)) {
        continue;
      }
      if (x >= covered) {
        blocks[block_count++] = last_block < 0 ? x : min(x, last_block);
        // Where the picture is too narrow for a vector, a block is one window.
        covered = last_block < 0 ? x + 1 : blocks[block_count - 1] + LANES;
      }
      columns[count] = column;
      lanes[count] = (ushort)((block_count - 1) * LANES + x - blocks[block_count - 1]);
      scores[count] = 0;
      ++count;
    }
    if (count == 0) continue;

    for (int f = 0; f < FERNS; ++f) {
      const int* offset = offsets + 2 * PAIRS * f;
      if (last_block >= 0) {
        for (int b = 0; b < block_count; ++b) {
          global const uchar* window = line + blocks[b];
          compare(window, offset, HIGH_PAIRS, high + b * LANES);
          compare(window, offset + 2 * HIGH_PAIRS, PAIRS - HIGH_PAIRS, low + b * LANES);
        }
      } else {
        for (int b = 0; b < block_count; ++b) {
          global const uchar* window = line + blocks[b];
          uint code = 0;
          for (int p = 0; p < PAIRS; ++p) {
            code = 2 * code + (window[offset[2 * p]] > window[offset[2 * p + 1]]);
          }
          high[b * LANES] = (uchar)(code >> 8);
          low[b * LANES] = (uchar)code;
        }
      }
      global const ushort* table = tables + (f << PAIRS);
      for (int i = 0; i < count; ++i) {
        const uint code = (uint)high[lanes[i]] << 8 | low[lanes[i]];
        codes[f][i] = (ushort)code;
        scores[i] += table[code];
      }
    }

    for (int i = 0; i < count; ++i) {
      if (scores[i] < minimum_score) continue;
      found[place].window = size.first + part.place + columns[i];
      found[place].score = scores[i];
      for (int f = 0; f < FERNS; ++f) found_codes[place * FERNS + f] = codes[f][i];
      ++place;
    }
  }
  counts[row] = (uint)(place - part.slot);
}

// Moves the candidates of all rows together. One work-item.
kernel void gather_rows(global const struct WindowPart* parts, int part_count,
                        global const uint* counts, global const struct Candidate* found,
                        global const ushort* found_codes, global struct Candidate* candidates,
                        global ushort* codes, global uint* total) {
  size_t to = 0;
  for (int part = 0; part < part_count; ++part) {
    const size_t from = parts[part].slot;
    const uint count = counts[part];
    for (uint i = 0; i < count; ++i) candidates[to + i] = found[from + i];
    for (uint i = 0; i < count * FERNS; ++i) codes[to * FERNS + i] = found_codes[from * FERNS + i];
    to += count;
  }
  total[0] = (uint)to;
}
