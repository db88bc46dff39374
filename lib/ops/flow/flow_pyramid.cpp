// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_pyramid.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "cltrack/error.h"
#include "compute/launch.h"
#include "core/processor.h"
#include "ops/planes/mirrored.h"
#include "ops/vector_lanes.h"

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

// The pyramid on vectors of 16-bit words, which hold every intermediate sum. Each level is padded
// before the next one is made of it, so that borders are no special case.

namespace {

constexpr int kMostLanes = sizeof(Bytes16);
static_assert(kMostLanes <= kSmallestFlowPadding);

// sums[x] = five rows smoothed downwards at column x, `count` of them and up to a vector more.
template <typename Lanes>
[[gnu::always_inline]] inline void smooth_columns(const std::uint8_t* const* rows, int count,
                                                  std::uint16_t* sums) {
  using Words = typename Lanes::Words;
  for (int x = 0; x < count; x += static_cast<int>(sizeof(typename Lanes::Bytes))) {
    Words row[5];
    for (int j = 0; j < 5; ++j) {
      typename Lanes::Bytes pixels;
      std::memcpy(&pixels, rows[j] + x, sizeof(pixels));
      row[j] = __builtin_convertvector(pixels, Words);
    }
    const Words sum = row[0] + row[4] + 4 * (row[1] + row[3]) + 6 * row[2];
    std::memcpy(sums + x, &sum, sizeof(sum));
  }
}

// Every second of the sums smoothed sideways; those of the first pixel are sums[0...4].
template <typename Lanes>
[[gnu::always_inline]] inline void smooth_row(const std::uint16_t* sums, int width,
                                              std::uint8_t* out) {
  using Ints = typename Lanes::Ints;
  using HalfBytes = typename Lanes::HalfBytes;
  for (int x = 0; x < width; x += static_cast<int>(sizeof(HalfBytes))) {
    Ints a, b, c;  // two sums each, the even one in the lower half
    std::memcpy(&a, sums + 2 * x, sizeof(a));
    std::memcpy(&b, sums + 2 * x + 2, sizeof(b));
    std::memcpy(&c, sums + 2 * x + 4, sizeof(c));
    const Ints sum =
        (a & 0xffff) + (c & 0xffff) + 4 * ((a >> 16) + (b >> 16)) + 6 * (b & 0xffff) + 128;
    const HalfBytes bytes = __builtin_convertvector(sum >> 8, HalfBytes);
    std::memcpy(out + x, &bytes, sizeof(bytes));
  }
}

struct Rows {
  int begin, end;
};

// Writes the pixels of these rows of `to`, and some of the padding.
template <typename Lanes>
[[gnu::always_inline]] inline void reduce(const std::uint8_t* src, const PlaneLayout& from,
                                          std::uint8_t* dst, const PlaneLayout& to, Rows part,
                                          std::uint16_t* sums) {
  for (int y = part.begin; y < part.end; ++y) {
    const std::uint8_t* rows[5];
    for (int j = 0; j < 5; ++j) {
      rows[j] = src + static_cast<std::ptrdiff_t>(2 * y + j - 2) * from.stride - 2;
    }
    smooth_columns<Lanes>(rows, 2 * to.width + 3, sums);
    smooth_row<Lanes>(sums, to.width, dst + static_cast<std::ptrdiff_t>(y) * to.stride);
  }
}

void reduce_narrow(const std::uint8_t* src, const PlaneLayout& from, std::uint8_t* dst,
                   const PlaneLayout& to, Rows part, std::uint16_t* sums) {
  reduce<Narrow>(src, from, dst, to, part, sums);
}
CLTRACK_AVX2 void reduce_wide(const std::uint8_t* src, const PlaneLayout& from, std::uint8_t* dst,
                              const PlaneLayout& to, Rows part, std::uint16_t* sums) {
  reduce<Wide>(src, from, dst, to, part, sums);
}

std::uint8_t* row_of(std::uint8_t* pixels, const PlaneLayout& at, int y) {
  return pixels + at.offset + static_cast<std::ptrdiff_t>(y) * at.stride;
}

// Mirrors these rows into the `padding` pixels on both sides of them.
void pad_sides(std::uint8_t* pixels, const PlaneLayout& at, Rows part, int padding) {
  const bool is_wide = at.width > padding;
  for (int y = part.begin; y < part.end; ++y) {
    std::uint8_t* first = row_of(pixels, at, y);
    std::uint8_t* last = first + at.width - 1;
    for (int i = 1; i <= padding; ++i) {
      first[-i] = first[is_wide ? i : mirrored(-i, at.width)];
      last[i] = is_wide ? last[-i] : first[mirrored(at.width - 1 + i, at.width)];
    }
  }
}

// The same above and below, sides included.
void pad_ends(std::uint8_t* pixels, const PlaneLayout& at, int padding) {
  const auto copy = [&](int y) {
    std::memcpy(row_of(pixels, at, y) - padding,
                row_of(pixels, at, mirrored(y, at.height)) - padding,
                static_cast<std::size_t>(at.stride));
  };
  for (int i = 1; i <= padding; ++i) {
    copy(-i);
    copy(at.height - 1 + i);
  }
}

void copy_rows(const ImageView& src, std::uint8_t* pixels, const PlaneLayout& at, Rows part) {
  for (int y = part.begin; y < part.end; ++y) {
    std::memcpy(row_of(pixels, at, y), src.row(y), static_cast<std::size_t>(src.width));
  }
}

void reduce_rows(std::uint8_t* pixels, const PlaneLayout& from, const PlaneLayout& to, Rows part) {
  static const auto body = fastest_body(reduce_narrow, reduce_wide);
  std::vector<std::uint16_t> sums(static_cast<std::size_t>(2 * to.width + 4 + 2 * kMostLanes));
  body(pixels + from.offset, from, pixels + to.offset, to, part, sums.data());
}

// `run` calls its argument for all rows of a level, in parts, and waits.
template <typename Run>
void build(const ImageView& src, const FlowPyramidShape& shape, std::uint8_t* pixels,
           const Run& run) {
  const PlaneLayout* levels = shape.levels.levels;
  for (int i = 0; i <= shape.levels.top; ++i) {
    run(levels[i], [&](Rows part) {
      if (i == 0) {
        copy_rows(src, pixels, levels[0], part);
      } else {
        reduce_rows(pixels, levels[i - 1], levels[i], part);
      }
      pad_sides(pixels, levels[i], part, shape.padding);
    });
    pad_ends(pixels, levels[i], shape.padding);
  }
}

// Waking a thread for less takes longer than the work.
constexpr int kPixelsOfAPart = 1 << 16;

}  // namespace

void vector::build_flow_pyramid(const ImageView& src, const FlowPyramidShape& shape,
                                std::uint8_t* pixels) {
  build(src, shape, pixels, [](const PlaneLayout& level, const auto& part) {
    part(Rows{0, level.height});
  });
}

void vector::build_flow_pyramid(Queue& queue, const ImageView& src, const FlowPyramidShape& shape,
                                std::uint8_t* pixels) {
  build(src, shape, pixels, [&](const PlaneLayout& level, const auto& part) {
    const int parts = std::clamp(level.width * level.height / kPixelsOfAPart, 1, queue.threads());
    queue.run(parts, [&](int i) {
      part(Rows{level.height * i / parts, level.height * (i + 1) / parts});
    });
  });
}

namespace {

constexpr int kTileItems = 256;

constexpr int tiles(int pixels) { return (pixels + CLTRACK_FLOW_TILE - 1) / CLTRACK_FLOW_TILE; }

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

void build_flow_pyramid(Queue& queue, const Plane& src, int levels, int largest_window,
                        FlowPyramid& dst) {
  if (queue.is_host()) {
    dst.reshape(padded_flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
    vector::build_flow_pyramid(queue, src.host_view(), dst, dst.pixels.host_write().data());
    return;
  }
  dst.reshape(flow_pyramid_shape(src.width(), src.height(), levels, largest_window));
  const int columns = (src.width() + 1) / 2;
  const int rows = (src.height() + 1) / 2;
  launch(queue, {"flow_pyramid", "flow_first"}, global(columns, rows), local(32, 4), in(src.pixels),
         src.layout, out(dst.pixels), dst.levels);
  for (int level = 2; level <= dst.levels.top; level += CLTRACK_FLOW_STEPS) {
    const int count = std::min(CLTRACK_FLOW_STEPS, dst.levels.top - level + 1);
    const PlaneLayout& to = dst.levels.levels[level + count - 1];
    launch(queue, {"flow_pyramid", "flow_tiles"},
           global(tiles(to.width) * kTileItems, tiles(to.height)), local(kTileItems, 1),
           inout(dst.pixels), dst.levels, cl_int{level}, cl_int{count});
  }
}

}  // namespace cltrack
