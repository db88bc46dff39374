// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/filter/hog.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/job_parts.h"
#include "ops/vector_lanes.h"

namespace cltrack {
namespace {

// The gradient of a sample as hog() counts it. kernels/filter/hog.cl has the same.

constexpr std::int32_t kHalfwayCos[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_COS;
constexpr std::int32_t kHalfwaySin[CLTRACK_HALFWAY_ANGLES] = CLTRACK_HALFWAY_SIN;

struct HogGradient {
  std::int32_t direction;  // 0..17, 20 degrees apart
  std::int32_t length;     // rounded
};

[[gnu::always_inline]] inline std::int32_t hog_length(std::int32_t dx, std::int32_t dy) {
  return static_cast<std::int32_t>(std::sqrt(static_cast<float>(dx * dx + dy * dy)) + 0.5f);
}

// A gradient of length 0 has some direction. dx, dy: differences of the samples to the right and
// left, below and above; under 2^15.
[[gnu::always_inline]] inline HogGradient hog_gradient(std::int32_t dx, std::int32_t dy) {
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const std::int32_t x = is_lower ? -dx : dx;
  const std::int32_t y = is_lower ? -dy : dy;
  std::int32_t direction = is_lower ? CLTRACK_HOG_DIRECTIONS / 2 : 0;
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES; ++k) {
    direction += y * kHalfwayCos[k] - x * kHalfwaySin[k] >= 0 ? 1 : 0;
  }
  return {direction >= CLTRACK_HOG_DIRECTIONS ? direction - CLTRACK_HOG_DIRECTIONS : direction,
          hog_length(dx, dy)};
}

// Arithmetic of a cell of hog(), for numbers and vectors of them. kernels/filter/hog.cl has the
// same.

// Grey levels in an entry of a histogram: samples are 64 times, weights 8 x 8 times.
constexpr float kHogUnit = 1.0f / (CLTRACK_GREY_SAMPLES * 64);

[[gnu::always_inline]] inline float hog_value(std::uint32_t entry) {
  return static_cast<float>(static_cast<std::int32_t>(entry)) * kHogUnit;
}

// One over the norm of a block of four cells.
[[gnu::always_inline]] inline float hog_norm(float own, float beside, float above, float across) {
  return 1 / std::sqrt(own + beside + above + across + CLTRACK_HOG_FLOOR);
}

[[gnu::always_inline]] inline float hog_cut(float value) {
  return value < CLTRACK_HOG_CUT ? value : CLTRACK_HOG_CUT;
}

// The mean grey of a cell, from the sum of its samples.
[[gnu::always_inline]] inline float hog_grey(std::uint32_t sum) {
  return static_cast<float>(static_cast<std::int32_t>(sum)) *
             (1.0f / (CLTRACK_CELL_SIDE * CLTRACK_CELL_SIDE * CLTRACK_GREY_SAMPLES * 255)) -
         0.5f;
}

}  // namespace

namespace reference {

namespace {

using Histogram = std::array<std::uint32_t, kHogDirections>;

// Twice the distance from a sample to the middle of a cell's neighbourhood, in samples, is odd:
// weights are eighths.
int eighths(int sample, int cell) {
  const int distance = std::abs(2 * sample + 1 - (2 * cell + 1) * kCellSide);
  return std::max(0, 2 * kCellSide - distance);
}

}  // namespace

void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features) {
  const int side = cells * kCellSide;
  const auto sample = [&](int x, int y) {
    x = std::clamp(x, 0, side - 1);
    y = std::clamp(y, 0, side - 1);
    return static_cast<std::int32_t>(samples[static_cast<std::size_t>(y * side + x)]);
  };
  const auto cell_at = [&](int x, int y) {
    x = std::clamp(x, 0, cells - 1);
    y = std::clamp(y, 0, cells - 1);
    return static_cast<std::size_t>(x * cells + y);
  };
  const auto count = static_cast<std::size_t>(cells * cells);
  std::vector<Histogram> histograms(count);
  std::vector<std::uint32_t> greys(count);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const HogGradient gradient =
          hog_gradient(sample(x + 1, y) - sample(x - 1, y), sample(x, y + 1) - sample(x, y - 1));
      greys[cell_at(x / kCellSide, y / kCellSide)] += static_cast<std::uint32_t>(sample(x, y));
      for (int cy = 0; cy < cells; ++cy) {
        for (int cx = 0; cx < cells; ++cx) {
          const int weight = eighths(x, cx) * eighths(y, cy);
          histograms[cell_at(cx, cy)][static_cast<std::size_t>(gradient.direction)] +=
              static_cast<std::uint32_t>(weight * gradient.length);
        }
      }
    }
  }
  std::vector<float> energies(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t d = 0; d < 9; ++d) {
      const float both = hog_value(histograms[i][d] + histograms[i][d + 9]);
      energies[i] += both * both;
    }
  }
  for (int y = 0; y < cells; ++y) {
    for (int x = 0; x < cells; ++x) {
      std::array<float, 4> norms;
      for (int block = 0; block < 4; ++block) {
        const int next_x = x + (block % 2 == 0 ? -1 : 1);
        const int next_y = y + (block / 2 == 0 ? -1 : 1);
        norms[static_cast<std::size_t>(block)] =
            hog_norm(energies[cell_at(x, y)], energies[cell_at(next_x, y)],
                     energies[cell_at(x, next_y)], energies[cell_at(next_x, next_y)]);
      }
      const Histogram& histogram = histograms[cell_at(x, y)];
      std::array<float, 4> totals = {};
      const auto feature = [&](int channel) -> float& {
        return features[static_cast<std::size_t>(channel) * count + cell_at(x, y)];
      };
      for (int d = 0; d < 18; ++d) {
        float sum = 0;
        for (std::size_t block = 0; block < 4; ++block) {
          const float value =
              hog_cut(hog_value(histogram[static_cast<std::size_t>(d)]) * norms[block]);
          sum += value;
          totals[block] += value;
        }
        feature(d) = 0.5f * sum;
      }
      for (int d = 0; d < 9; ++d) {
        const auto i = static_cast<std::size_t>(d);
        float sum = 0;
        for (const float norm : norms)
          sum += hog_cut(hog_value(histogram[i] + histogram[i + 9]) * norm);
        feature(18 + d) = 0.5f * sum;
      }
      for (int block = 0; block < 4; ++block) {
        feature(27 + block) = CLTRACK_HOG_TEXTURE * totals[static_cast<std::size_t>(block)];
      }
      feature(31) = hog_grey(greys[cell_at(x, y)]);
    }
  }
}

}  // namespace reference

namespace vector {
namespace {

// Counts the histograms of vector::hog(). Everything is inlined into functions that are compiled
// for a processor.
//
// A corner is where four cells meet, or would meet at the window's border; the 4 x 4 samples around
// it are those that count for the same four cells. So a corner has the parts of four histograms
// side by side, in one vector for each direction, and a sample is one addition.

// `stride`: a number of cells that is no power of 2, or entries of all directions would be kept in
// the same few places of the processor's cache.
struct HogCounts {
  explicit HogCounts(int cells)
      : stride((cells * cells + 7) / 8 * 8 + 8),
        entries(static_cast<std::size_t>(stride) * (kHogDirections + 1)) {}

  std::int32_t* of_direction(int d) { return entries.data() + d * stride; }
  std::int32_t* greys() { return of_direction(kHogDirections); }  // sums of samples

  int stride;
  std::vector<std::int32_t> entries;  // of a direction: cells column by column
};

// As hog_gradient() has it, with half the products: the angles are in pairs that mirror each other.
[[gnu::always_inline]] inline std::int32_t hog_direction(std::int32_t dx, std::int32_t dy) {
  static_assert(kHalfwayCos[4] == 0 && kHalfwayCos[0] == -kHalfwayCos[8] &&
                kHalfwaySin[0] == kHalfwaySin[8] && kHalfwayCos[3] == -kHalfwayCos[5] &&
                kHalfwaySin[3] == kHalfwaySin[5]);
  const bool is_lower = dy < 0 || (dy == 0 && dx < 0);
  const std::int32_t x = is_lower ? -dx : dx;
  const std::int32_t y = is_lower ? -dy : dy;
  std::int32_t direction = (is_lower ? kHogDirections / 2 : 0) + (x <= 0 ? 1 : 0);
  for (int k = 0; k < CLTRACK_HALFWAY_ANGLES / 2; ++k) {
    const std::int32_t up = y * kHalfwayCos[k], along = x * kHalfwaySin[k];
    direction += (up >= along ? 1 : 0) + (up <= -along ? 1 : 0);
  }
  return direction >= kHogDirections ? direction - kHogDirections : direction;
}

// Adds the gradients of a row of samples to its corners; row 0 to 3 of their samples. Sample x
// is entry x + 2; the two at either end are none, and have length 0.
[[gnu::always_inline]] inline void add_row(const std::int32_t* directions,
                                           const std::int32_t* lengths, int cells, int row,
                                           Ints4* corners) {
  const auto lower = static_cast<std::uint32_t>(2 * row + 1);  // weights are eighths
  const std::uint32_t upper = 2 * kCellSide - lower;
  Ints4 weights[kCellSide];
  for (std::uint32_t i = 0; i < kCellSide; ++i) {
    const std::uint32_t right = 2 * i + 1, left = 2 * kCellSide - right;
    weights[i] = Ints4{upper * left, upper * right, lower * left, lower * right};
  }
  for (int corner = 0; corner <= cells; ++corner) {
    for (int i = 0; i < kCellSide; ++i) {
      corners[directions[i]] += weights[i] * static_cast<std::uint32_t>(lengths[i]);
    }
    corners += kHogDirections;
    directions += kCellSide;
    lengths += kCellSide;
  }
}

// Row y of the cells, out of the corners above and below.
[[gnu::always_inline]] inline void gather_cells(const Ints4* above, const Ints4* below, int cells,
                                                int y, HogCounts& counts) {
  for (int x = 0; x < cells; ++x) {
    std::int32_t* to = counts.entries.data() + x * cells + y;
    for (int d = 0; d < kHogDirections; ++d) {
      *to = static_cast<std::int32_t>(above[d][3] + above[kHogDirections + d][2] + below[d][1] +
                                      below[kHogDirections + d][0]);
      to += counts.stride;
    }
    above += kHogDirections;
    below += kHogDirections;
  }
}

// A row of samples with the outermost ones repeated, from row[1] on.
[[gnu::always_inline]] inline void widen_row(const std::uint16_t* samples, int side,
                                             std::int32_t* row) {
  for (int x = 0; x < side; ++x) row[x + 1] = samples[x];
  row[0] = row[1];
  row[side + 1] = row[side];
}

[[gnu::always_inline]] inline void count_samples(const std::uint16_t* samples, int cells,
                                                 HogCounts& counts) {
  const int side = cells * kCellSide;
  const int width = side + kCellSide;
  std::vector<std::int32_t> rows(static_cast<std::size_t>(6 * width));
  std::int32_t* above = rows.data();
  std::int32_t* own = above + width;
  std::int32_t* below = own + width;
  std::int32_t* directions = below + width;
  std::int32_t* lengths = directions + width;
  std::int32_t* greys = lengths + width;
  const int row_entries = (cells + 1) * kHogDirections;
  std::vector<Ints4> corners(static_cast<std::size_t>(2 * row_entries));
  Ints4* upper = corners.data();
  Ints4* lower = upper + row_entries;
  widen_row(samples, side, above);
  std::copy_n(above, width, own);
  for (int y = 0; y < side; ++y) {
    widen_row(samples + std::min(y + 1, side - 1) * side, side, below);
    for (int x = 0; x < side; ++x) {
      const std::int32_t dx = own[x + 2] - own[x], dy = below[x + 1] - above[x + 1];
      directions[x + 2] = hog_direction(dx, dy);
      lengths[x + 2] = hog_length(dx, dy);
    }
    add_row(directions, lengths, cells, (y + kCellSide / 2) % kCellSide, lower);
    for (int x = 0; x < side; ++x) greys[x] += own[x + 1];
    if (y % kCellSide == kCellSide - 1) {
      for (int x = 0; x < cells; ++x) {
        std::int32_t* grey = greys + kCellSide * x;
        counts.greys()[x * cells + y / kCellSide] = grey[0] + grey[1] + grey[2] + grey[3];
      }
      std::fill_n(greys, side, 0);
    }
    if (y == side - 1 || y % kCellSide == kCellSide / 2 - 1) {
      if (y >= kCellSide / 2) {
        gather_cells(upper, lower, cells, (y - kCellSide / 2) / kCellSide, counts);
      }
      std::swap(upper, lower);
      std::fill_n(lower, row_entries, Ints4{});
    }
    std::swap(above, own);
    std::swap(own, below);
  }
}

// Cells that are worked on at a time: vectors that every processor has, and those of AVX2.
struct Cells4 {
  using Floats [[gnu::vector_size(16)]] = float;
  using Ints [[gnu::vector_size(16)]] = std::int32_t;
};
struct Cells8 {
  using Floats [[gnu::vector_size(32)]] = float;
  using Ints [[gnu::vector_size(32)]] = std::int32_t;
};
template <typename Cells>
constexpr int kLanes = sizeof(typename Cells::Floats) / sizeof(float);

constexpr int kSigned = kHogDirections;
constexpr int kUnsigned = kHogDirections / 2;
constexpr int kBlocks = 4;

template <typename Vector, typename T>
[[gnu::always_inline]] inline void load(Vector& to, const T* from) {
  std::memcpy(&to, from, sizeof(to));
}

// Cuts the entries of histograms in the four blocks.
template <typename Floats, typename Ints>
[[gnu::always_inline]] inline void cut(const Ints& entries, const Floats* norms, Floats* parts) {
  const Floats values = __builtin_convertvector(entries, Floats) * kHogUnit;
  for (int block = 0; block < kBlocks; ++block) {
    const Floats part = values * norms[block];
    parts[block] = part < CLTRACK_HOG_CUT ? part : Floats{} + CLTRACK_HOG_CUT;
  }
}

// 1 / norm of the four blocks of each cell. `work` has room for three columns of cells more than
// there are, three times.
[[gnu::always_inline]] inline void take_norms(const float* energies, int cells, float* work,
                                              float* const* norms) {
  const int all = cells * cells;
  // The columns as they are, one cell further down, and one further up; with the outermost ones
  // repeated, so that all neighbours of cell i lie at i - cells, i and i + cells.
  float* own = work + cells;
  float* above = own + all + 2 * cells;
  float* below = above + all + 2 * cells;
  for (int x = 0; x < cells; ++x) {
    const float* from = energies + x * cells;
    std::copy_n(from, cells, own + x * cells);
    std::copy_n(from, cells - 1, above + x * cells + 1);
    above[x * cells] = from[0];
    std::copy_n(from + 1, cells - 1, below + x * cells);
    below[x * cells + cells - 1] = from[cells - 1];
  }
  for (float* columns : {own, above, below}) {
    std::copy_n(columns, cells, columns - cells);
    std::copy_n(columns + all - cells, cells, columns + all);
  }
  for (int block = 0; block < kBlocks; ++block) {
    const int beside = block % 2 == 0 ? -cells : cells;
    const float* next = block / 2 == 0 ? above : below;
    float* to = norms[block];
    for (int i = 0; i < all; ++i) {
      to[i] = hog_norm(own[i], own[i + beside], next[i], next[i + beside]);
    }
  }
}

// The features of `count` cells, at most kLanes, from cell `first` on.
template <typename Cells>
[[gnu::always_inline]] inline void write_features(HogCounts& counts, float* const* all_norms,
                                                  int first, int count, std::size_t all,
                                                  float* features) {
  using Floats = typename Cells::Floats;
  using Ints = typename Cells::Ints;
  Floats norms[kBlocks], totals[kBlocks] = {};
  for (int block = 0; block < kBlocks; ++block) load(norms[block], all_norms[block] + first);
  const auto write = [&](int channel, const Floats& values) {
    float* to = features + static_cast<std::size_t>(channel) * all + first;
    if (count == kLanes<Cells>) {
      std::memcpy(to, &values, sizeof(values));
    } else {
      for (int i = 0; i < count; ++i) to[i] = values[i];
    }
  };
  for (int d = 0; d < kSigned; ++d) {
    Ints entries;
    load(entries, counts.of_direction(d) + first);
    Floats parts[kBlocks];
    cut(entries, norms, parts);
    for (int block = 0; block < kBlocks; ++block) totals[block] += parts[block];
    write(d, 0.5f * (0 + parts[0] + parts[1] + parts[2] + parts[3]));
  }
  for (int d = 0; d < kUnsigned; ++d) {
    Ints one, other;
    load(one, counts.of_direction(d) + first);
    load(other, counts.of_direction(d + kUnsigned) + first);
    Floats parts[kBlocks];
    cut(one + other, norms, parts);
    write(kSigned + d, 0.5f * (0 + parts[0] + parts[1] + parts[2] + parts[3]));
  }
  for (int block = 0; block < kBlocks; ++block) {
    write(27 + block, CLTRACK_HOG_TEXTURE * totals[block]);
  }
}

template <typename Cells>
[[gnu::always_inline]] inline void make_features(const std::uint16_t* samples, int cells,
                                                 float* features) {
  const int all = cells * cells;
  HogCounts counts(cells);
  count_samples(samples, cells, counts);
  const int padded = counts.stride;
  std::vector<float> floats(
      static_cast<std::size_t>((1 + kBlocks) * padded + 3 * (all + 2 * cells)));
  float* energies = floats.data();
  for (int d = 0; d < kUnsigned; ++d) {
    const std::int32_t* one = counts.of_direction(d);
    const std::int32_t* other = counts.of_direction(d + kUnsigned);
    for (int i = 0; i < all; ++i) {
      const float both = hog_value(static_cast<std::uint32_t>(one[i] + other[i]));
      energies[i] += both * both;
    }
  }
  float* norms[kBlocks];
  for (int block = 0; block < kBlocks; ++block) norms[block] = energies + (1 + block) * padded;
  take_norms(energies, cells, energies + (1 + kBlocks) * padded, norms);
  // The last block overlaps the one before, if there is one.
  constexpr int kMost = kLanes<Cells>;
  const int last = std::max(all - kMost, 0);
  for (int i = 0; i < last + kMost; i += kMost) {
    write_features<Cells>(counts, norms, std::min(i, last), std::min(kMost, all),
                          static_cast<std::size_t>(all), features);
  }
  for (int i = 0; i < all; ++i) {
    features[31 * all + i] = hog_grey(static_cast<std::uint32_t>(counts.greys()[i]));
  }
}

void make_narrow(const std::uint16_t* samples, int cells, float* features) {
  make_features<Cells4>(samples, cells, features);
}
CLTRACK_AVX2 void make_wide(const std::uint16_t* samples, int cells, float* features) {
  make_features<Cells8>(samples, cells, features);
}

}  // namespace

void hog(std::span<const std::uint16_t> samples, int cells, std::span<float> features) {
  static const auto body = fastest_body(make_narrow, make_wide);
  body(samples.data(), cells, features.data());
}

}  // namespace vector

namespace {

constexpr std::size_t kTile = CLTRACK_HOG_TILE;
constexpr std::size_t kItems = kTile * kTile;  // of a work-group

}  // namespace

void hog(Queue& queue, const Array<std::uint16_t>& samples, int cells, HogScratch& scratch,
         Array<float>& features) {
  const std::size_t all =
      cells < 1 ? 0 : static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells);
  const std::size_t each = all * kCellSide * kCellSide;
  if (all == 0 || samples.size() % each != 0) {
    throw Error(ErrorCode::invalid_argument,
                "hog: " + std::to_string(samples.size()) + " samples are no windows of " +
                    std::to_string(cells) + " x " + std::to_string(cells) + " cells, 4 x 4 each");
  }
  const std::size_t windows = samples.size() / each;
  features.resize(windows * all * kHogChannels);
  if (windows == 0) return;
  if (queue.is_host()) {
    const auto from = samples.host_read();
    const auto to = features.host_write();
    queue.run(static_cast<int>(windows), [&](int i) {
      vector::hog(entry_at(from, i, each), cells, entry_at(to, i, all * kHogChannels));
    });
    return;
  }
  scratch.histograms.resize(windows * all * kHogDirections);
  scratch.greys.resize(windows * all);
  scratch.energies.resize(windows * all);
  const std::size_t tiles = (static_cast<std::size_t>(cells) + kTile - 1) / kTile;
  launch(queue, {"hog", "hog_histograms"}, global(tiles * tiles * kItems, windows),
         local(kItems, 1), in(samples), cells, out(scratch.histograms), out(scratch.greys),
         out(scratch.energies));
  launch(queue, {"hog", "hog_features"}, global(all, windows), local(kItems, 1),
         in(scratch.histograms), in(scratch.greys), in(scratch.energies), cells, out(features));
  discard(scratch.histograms, scratch.greys, scratch.energies);
}

}  // namespace cltrack
