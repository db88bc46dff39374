// SPDX-License-Identifier: LGPL-2.1-or-later
#include <algorithm>
#include <string>

#include "cltrack/error.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/planes/mirrored.h"

namespace cltrack {
namespace {

FlowPyramidShape make_shape(int width, int height, int levels, int largest_window, int padding) {
  if (width <= 0 || height <= 0) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid of an empty picture");
  }
  if (levels < 0 || levels >= CLTRACK_MAX_FLOW_LEVELS) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid: " + std::to_string(levels) +
                                                 " levels above the first, allowed are 0 to " +
                                                 std::to_string(CLTRACK_MAX_FLOW_LEVELS - 1));
  }
  if (largest_window < 3) {
    throw Error(ErrorCode::invalid_argument, "flow pyramid: window of " +
                                                 std::to_string(largest_window) +
                                                 " pixels, allowed are 3 and more");
  }
  FlowPyramidShape shape;
  shape.largest_window = largest_window;
  shape.padding = padding;
  std::int32_t end = 0;
  for (int level = 0;; ++level) {
    const std::int32_t stride = width + 2 * padding;
    shape.levels.levels[level] = {width, height, stride, end + padding * stride + padding};
    shape.levels.top = level;
    end += stride * (height + 2 * padding);
    width = (width + 1) / 2;
    height = (height + 1) / 2;
    if (level == levels || width <= largest_window || height <= largest_window) return shape;
  }
}

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

std::size_t FlowPyramidShape::bytes() const {
  const PlaneLayout& last = levels.levels[levels.top];
  return static_cast<std::size_t>(last.offset) +
         static_cast<std::size_t>(last.stride) *
             static_cast<std::size_t>(last.height - 1 + padding) +
         static_cast<std::size_t>(last.width + padding);
}

void FlowPyramid::reshape(const FlowPyramidShape& shape) {
  static_cast<FlowPyramidShape&>(*this) = shape;
  pixels.resize(bytes());
}

FlowPyramidShape flow_pyramid_shape(int width, int height, int levels, int largest_window) {
  return make_shape(width, height, levels, largest_window, 0);
}

FlowPyramidShape padded_flow_pyramid_shape(int width, int height, int levels, int largest_window) {
  return make_shape(
      width, height, levels, largest_window,
      largest_window < kSmallestFlowPadding ? kSmallestFlowPadding : 2 * kSmallestFlowPadding);
}

void build_flow_pyramid_host(const ImageView& src, const FlowPyramidShape& shape,
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
