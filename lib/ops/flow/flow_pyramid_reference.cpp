// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <cstddef>

#include "ops/flow/flow_pyramid.h"
#include "ops/planes/mirrored.h"

namespace cltrack {
namespace {

// Half of `src` in both directions.
void reduce(const ImageView& src, const PlaneLayout& to, std::uint8_t* dst) {
  constexpr int kWeights[5] = {1, 4, 6, 4, 1};
  for (int y = 0; y < to.height; ++y) {
    for (int x = 0; x < to.width; ++x) {
      int sum = 128;
      for (int j = 0; j < 5; ++j) {
        const std::uint8_t* row = src.row(mirrored(2 * y + j - 2, src.height));
        int line = 0;
        for (int i = 0; i < 5; ++i) line += kWeights[i] * row[mirrored(2 * x + i - 2, src.width)];
        sum += kWeights[j] * line;
      }
      dst[static_cast<std::ptrdiff_t>(y) * to.stride + x] = static_cast<std::uint8_t>(sum >> 8);
    }
  }
}

}  // namespace

void reference::build_flow_pyramid(const ImageView& src, const FlowPyramidShape& shape,
                                   std::uint8_t* pixels) {
  const PlaneLayout& first = shape.levels.levels[0];
  for (int y = 0; y < src.height; ++y) {
    std::copy_n(src.row(y), src.width,
                pixels + first.offset + static_cast<std::ptrdiff_t>(y) * first.stride);
  }
  const FlowPyramidView pyramid = {shape, pixels};
  for (int level = 1; level <= shape.levels.top; ++level) {
    const PlaneLayout& to = shape.levels.levels[level];
    reduce(pyramid.level(level - 1), to, pixels + to.offset);
  }
}

}  // namespace cltrack
