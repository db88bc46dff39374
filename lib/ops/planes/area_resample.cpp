// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/planes/area_resample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace cltrack {
namespace {

constexpr int kWeightBits = 14;
constexpr int kRowBits = 4;  // fraction bits kept between the two passes

// The pixels of the picture that make up one of the result: weights[begin] belongs to `first`.
struct Taps {
  int first;
  int count;
  std::size_t begin;
};

struct Axis {
  std::vector<Taps> taps;  // one for each pixel of the result
  std::vector<std::uint16_t> weights;
  int low = 0;   // first pixel of the picture that is read
  int high = 0;  // last one
};

Axis make_axis(double start, double length, int count, int picture_size) {
  const double step = length / count;
  const double span = std::max(step, 1.0);
  Axis axis;
  axis.taps.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double from = start + (i + 0.5) * step - 0.5 * span;
    const double to = from + span;
    const int first = static_cast<int>(std::floor(from));
    const int last = std::max(first, static_cast<int>(std::ceil(to)) - 1);
    const std::size_t begin = axis.weights.size();
    int rest = 1 << kWeightBits;
    for (int x = first; x <= last; ++x) {
      const double share = std::min(to, x + 1.0) - std::max(from, static_cast<double>(x));
      const int weight = static_cast<int>(std::max(share, 0.0) / span * (1 << kWeightBits));
      axis.weights.push_back(static_cast<std::uint16_t>(weight));
      rest -= weight;
    }
    // The middle gets what rounding has left.
    auto& middle = axis.weights[begin + static_cast<std::size_t>(last - first) / 2];
    middle = static_cast<std::uint16_t>(middle + rest);
    axis.taps.push_back({first, last - first + 1, begin});
  }
  axis.low = std::clamp(axis.taps.front().first, 0, picture_size - 1);
  axis.high =
      std::clamp(axis.taps.back().first + axis.taps.back().count - 1, axis.low, picture_size - 1);
  return axis;
}

// row[x] += weight * source[x], as a function of its own so that compilers vectorize it.
void add_row(const std::uint8_t* source, std::uint32_t weight, std::uint32_t* row, int count) {
  for (int x = 0; x < count; ++x) row[x] += weight * source[x];
}

}  // namespace

void resample_area(const ImageView& picture, const BoundingBox& region, Image& reduced) {
  const Axis xs = make_axis(static_cast<double>(region.x), static_cast<double>(region.width),
                            reduced.width(), picture.width);
  const Axis ys = make_axis(static_cast<double>(region.y), static_cast<double>(region.height),
                            reduced.height(), picture.height);
  const int width = xs.high - xs.low + 1;
  std::vector<std::uint32_t> row(static_cast<std::size_t>(width));
  for (int j = 0; j < reduced.height(); ++j) {
    // Columns first: their loop runs over neighbouring pixels.
    std::fill(row.begin(), row.end(), 0);
    const Taps& down = ys.taps[static_cast<std::size_t>(j)];
    for (int t = 0; t < down.count; ++t) {
      const int y = std::clamp(down.first + t, ys.low, ys.high);
      add_row(picture.row(y) + xs.low, ys.weights[down.begin + static_cast<std::size_t>(t)],
              row.data(), width);
    }
    for (std::uint32_t& v : row) v >>= kWeightBits - kRowBits;
    std::uint8_t* out = reduced.row(j);
    for (int i = 0; i < reduced.width(); ++i) {
      const Taps& across = xs.taps[static_cast<std::size_t>(i)];
      const std::uint16_t* weights = xs.weights.data() + across.begin;
      std::uint32_t sum = 1u << (kWeightBits + kRowBits - 1);
      for (int t = 0; t < across.count; ++t) {
        const int x = std::clamp(across.first + t, xs.low, xs.high) - xs.low;
        sum += weights[t] * row[static_cast<std::size_t>(x)];
      }
      out[i] = static_cast<std::uint8_t>(sum >> (kWeightBits + kRowBits));
    }
  }
}

}  // namespace cltrack
