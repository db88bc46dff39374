// SPDX-License-Identifier: LGPL-2.1-or-later
#include <array>

#include "ops/flow/flow_window.h"
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

}  // namespace cltrack
