// SPDX-License-Identifier: LGPL-2.1-or-later
#include "ops/flow/flow_window.h"

#include <algorithm>
#include <array>

#include "core/processor.h"
#include "ops/flow/between_pixels_avx2.h"
#include "ops/planes/mirrored.h"

namespace cltrack {

namespace {

constexpr int kStride = FlowWindow::kStride;
constexpr int kLargestSide = kLargestFlowWindow + 3;  // derivatives need a pixel more on each side

using Scratch = std::array<std::uint8_t, kLargestSide * kLargestSide>;
using Slopes = std::array<int, kStride*(kLargestFlowWindow + 1)>;

// Scharr's derivatives at the (size + 1)^2 pixels that the window lies between. `pixels` begin one
// pixel above and left of these.
void take_slopes(const ImageView& pixels, const ImageView& picture, const PixelWeights& corner,
                 int size, Slopes& slopes_x, Slopes& slopes_y) {
  for (int y = 0; y <= size; ++y) {
    const std::uint8_t* p = pixels.row(y);
    const std::uint8_t* q = pixels.row(y + 1);
    const std::uint8_t* r = pixels.row(y + 2);
    const bool row_inside = corner.y + y >= 0 && corner.y + y < picture.height;
    for (int x = 0; x <= size; ++x) {
      const bool inside = row_inside && corner.x + x >= 0 && corner.x + x < picture.width;
      const auto at = static_cast<std::size_t>(y * kStride + x);
      slopes_x[at] = inside ? (p[x + 2] - p[x] + r[x + 2] - r[x]) * 3 + (q[x + 2] - q[x]) * 10 : 0;
      slopes_y[at] =
          inside ? (r[x] - p[x] + r[x + 2] - p[x + 2]) * 3 + (r[x + 1] - p[x + 1]) * 10 : 0;
    }
  }
}

int between_pixels(const std::uint8_t* p, std::ptrdiff_t stride, const PixelWeights& at) {
  return (weigh(p, stride, at) + (1 << 8)) >> 9;
}

int between_slopes(const int* p, const PixelWeights& at) {
  return (weigh(p, kStride, at) + (1 << 13)) >> 14;
}

FlowSums take(const PaddedView& picture, const PixelWeights& corner, FlowWindow& window) {
  const int side = window.size + 3;
  Scratch scratch;
  const ImageView pixels =
      flow_pixels(picture, corner.x - 1, corner.y - 1, side, side, scratch.data());
  Slopes slopes_x, slopes_y;
  take_slopes(pixels, picture, corner, window.size, slopes_x, slopes_y);
  FlowSums sums;
  for (int y = 0; y < window.size; ++y) {
    const std::uint8_t* row = pixels.row(y + 1) + 1;
    for (int x = 0; x < window.size; ++x) {
      const int at = y * kStride + x;
      const int dx = between_slopes(slopes_x.data() + at, corner);
      const int dy = between_slopes(slopes_y.data() + at, corner);
      window.value[at] = static_cast<std::int16_t>(between_pixels(row + x, pixels.stride, corner));
      window.dx[at] = static_cast<std::int16_t>(dx);
      window.dy[at] = static_cast<std::int16_t>(dy);
      sums.xx += dx * dx;
      sums.xy += dx * dy;
      sums.yy += dy * dy;
    }
  }
  return sums;
}

FlowMismatch compare(const PaddedView& picture, const PixelWeights& corner,
                     const FlowWindow& window) {
  const int side = window.size + 1;
  Scratch scratch;
  const ImageView pixels = flow_pixels(picture, corner.x, corner.y, side, side, scratch.data());
  FlowMismatch mismatch;
  for (int y = 0; y < window.size; ++y) {
    for (int x = 0; x < window.size; ++x) {
      const int at = y * kStride + x;
      const int difference =
          between_pixels(pixels.row(y) + x, pixels.stride, corner) - window.value[at];
      mismatch.x += difference * window.dx[at];
      mismatch.y += difference * window.dy[at];
    }
  }
  return mismatch;
}

}  // namespace

FlowWindowBody reference::flow_window() { return {take, compare}; }

ImageView flow_pixels(const PaddedView& picture, int left, int top, int columns, int rows,
                      std::uint8_t* scratch) {
  const int first = -picture.padding;
  if (left >= first && top >= first && left + columns <= picture.width + picture.padding &&
      top + rows <= picture.height + picture.padding) {
    return {picture.row(top) + left, columns, rows, picture.stride};
  }
  for (int y = 0; y < rows; ++y) {
    const std::uint8_t* row = picture.row(mirrored(top + y, picture.height));
    for (int x = 0; x < columns; ++x) {
      scratch[y * columns + x] = row[mirrored(left + x, picture.width)];
    }
  }
  return {scratch, columns, rows, columns};
}

// The window 16 columns at a time. Columns right of it count as zero.

#if CLTRACK_X86

namespace avx2 {
namespace {

constexpr int kLanes = 16;
constexpr int kStride = FlowWindow::kStride;
constexpr int kMostColumns = kStride + 2;  // vectors begin up to two pixels further right
constexpr int kMostRows = kLargestFlowWindow + 3;
constexpr int kSlopeStride = kStride + kLanes;

int vectors(int size) { return (size + kLanes) / kLanes; }  // one column more than the window

// All bits of the lanes [first, last).
CLTRACK_AVX2 __m256i lanes_between(int first, int last) {
  alignas(32) static constexpr std::int16_t kMask[3 * kLanes] = {
      0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,   //
      -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  //
      0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0};
  return _mm256_and_si256(load(kMask + kLanes - std::clamp(first, 0, kLanes)),
                          load(kMask + 2 * kLanes - std::clamp(last, 0, kLanes)));
}

CLTRACK_AVX2 std::int64_t sum(__m256i ints) {
  const __m256i longs = _mm256_add_epi64(_mm256_cvtepi32_epi64(_mm256_castsi256_si128(ints)),
                                         _mm256_cvtepi32_epi64(_mm256_extracti128_si256(ints, 1)));
  alignas(16) std::int64_t both[2];
  _mm_store_si128(reinterpret_cast<__m128i*>(both),
                  _mm_add_epi64(_mm256_castsi256_si128(longs), _mm256_extracti128_si256(longs, 1)));
  return both[0] + both[1];
}

// The slopes of one row of pixels: differences of pixels two columns apart, and pixels smoothed.
struct RowSlopes {
  __m256i difference;
  __m256i smooth;
};

// 3, 10 and 3 times the three.
CLTRACK_AVX2 inline __m256i smoothed(__m256i a, __m256i b, __m256i c) {
  return _mm256_add_epi16(_mm256_mullo_epi16(_mm256_add_epi16(a, c), _mm256_set1_epi16(3)),
                          _mm256_mullo_epi16(b, _mm256_set1_epi16(10)));
}

CLTRACK_AVX2 inline RowSlopes row_slopes(const std::uint8_t* p) {
  const __m256i left = load(p);
  const __m256i right = load(p + 2);
  return {_mm256_sub_epi16(right, left), smoothed(left, load(p + 1), right)};
}

// Scharr's derivatives at the pixels that the window lies between. `pixels` begin one pixel above
// and left of these.
CLTRACK_AVX2 void take_slopes(const ImageView& pixels, const ImageView& picture,
                              const PixelWeights& corner, int size, std::int16_t* slopes_x,
                              std::int16_t* slopes_y) {
  const int columns = vectors(size) * kLanes;
  for (int x = 0; x < columns; x += kLanes) {
    const int left = corner.x + x;
    const __m256i inside = lanes_between(-left, picture.width - left);
    RowSlopes p = row_slopes(pixels.row(0) + x);
    RowSlopes q = row_slopes(pixels.row(1) + x);
    for (int y = 0; y <= size; ++y) {
      const RowSlopes r = row_slopes(pixels.row(y + 2) + x);
      const bool row_inside = corner.y + y >= 0 && corner.y + y < picture.height;
      const __m256i mask = row_inside ? inside : _mm256_setzero_si256();
      store(slopes_x + y * kSlopeStride + x,
            _mm256_and_si256(smoothed(p.difference, q.difference, r.difference), mask));
      store(slopes_y + y * kSlopeStride + x,
            _mm256_and_si256(_mm256_sub_epi16(r.smooth, p.smooth), mask));
      p = q;
      q = r;
    }
  }
  // The column right of the last vector is multiplied, though the product is not used.
  for (int y = 0; y <= size; ++y) {
    slopes_x[y * kSlopeStride + columns] = slopes_y[y * kSlopeStride + columns] = 0;
  }
}

// No lane's sum over the rows of a window exceeds 31 * 2 * (255 * 16)^2 < 2^31.
CLTRACK_AVX2 FlowSums take(const PaddedView& picture, const PixelWeights& corner,
                           FlowWindow& window) {
  const int columns = vectors(window.size) * kLanes;
  std::uint8_t scratch[kMostColumns * kMostRows];
  const ImageView pixels =
      flow_pixels(picture, corner.x - 1, corner.y - 1, columns + 2, window.size + 3, scratch);
  alignas(32) std::int16_t slopes_x[kSlopeStride * (kLargestFlowWindow + 1)];
  alignas(32) std::int16_t slopes_y[kSlopeStride * (kLargestFlowWindow + 1)];
  take_slopes(pixels, picture, corner, window.size, slopes_x, slopes_y);

  const Weights by = weights(corner);
  FlowSums sums;
  for (int x = 0; x < columns; x += kLanes) {
    const __m256i used = lanes_between(0, window.size - x);
    Columns upper = pairs(pixels.row(1) + x + 1);
    Columns upper_x = pairs(slopes_x + x);
    Columns upper_y = pairs(slopes_y + x);
    __m256i xx = _mm256_setzero_si256(), xy = xx, yy = xx;
    for (int y = 0; y < window.size; ++y) {
      const Columns lower = pairs(pixels.row(y + 2) + x + 1);
      const Columns lower_x = pairs(slopes_x + (y + 1) * kSlopeStride + x);
      const Columns lower_y = pairs(slopes_y + (y + 1) * kSlopeStride + x);
      const __m256i dx = _mm256_and_si256(rounded<14>(weigh(upper_x, lower_x, by)), used);
      const __m256i dy = _mm256_and_si256(rounded<14>(weigh(upper_y, lower_y, by)), used);
      store(window.value + y * kStride + x, rounded<9>(weigh(upper, lower, by)));
      store(window.dx + y * kStride + x, dx);
      store(window.dy + y * kStride + x, dy);
      xx = _mm256_add_epi32(xx, _mm256_madd_epi16(dx, dx));
      xy = _mm256_add_epi32(xy, _mm256_madd_epi16(dx, dy));
      yy = _mm256_add_epi32(yy, _mm256_madd_epi16(dy, dy));
      upper = lower;
      upper_x = lower_x;
      upper_y = lower_y;
    }
    sums.xx += sum(xx);
    sums.xy += sum(xy);
    sums.yy += sum(yy);
  }
  return sums;
}

// No lane's sum over the rows of a window exceeds 31 * 2 * (255 * 32) * (255 * 16) < 2^31.
CLTRACK_AVX2 FlowMismatch compare(const PaddedView& picture, const PixelWeights& corner,
                                  const FlowWindow& window) {
  const int columns = vectors(window.size) * kLanes;
  std::uint8_t scratch[kMostColumns * kMostRows];
  const ImageView pixels =
      flow_pixels(picture, corner.x, corner.y, columns + 1, window.size + 1, scratch);
  const Weights by = weights(corner);
  FlowMismatch mismatch;
  for (int x = 0; x < columns; x += kLanes) {
    Columns upper = pairs(pixels.row(0) + x);
    __m256i bx = _mm256_setzero_si256(), by_ = bx;
    for (int y = 0; y < window.size; ++y) {
      const Columns lower = pairs(pixels.row(y + 1) + x);
      const __m256i difference = _mm256_sub_epi16(rounded<9>(weigh(upper, lower, by)),
                                                  load(window.value + y * kStride + x));
      bx = _mm256_add_epi32(bx, _mm256_madd_epi16(difference, load(window.dx + y * kStride + x)));
      by_ = _mm256_add_epi32(by_, _mm256_madd_epi16(difference, load(window.dy + y * kStride + x)));
      upper = lower;
    }
    mismatch.x += sum(bx);
    mismatch.y += sum(by_);
  }
  return mismatch;
}

}  // namespace
}  // namespace avx2

#endif

FlowWindowBody vector::flow_window() {
#if CLTRACK_X86
  return fastest_body<FlowWindowBody>(reference::flow_window(), {avx2::take, avx2::compare});
#else
  return reference::flow_window();
#endif
}

}  // namespace cltrack
