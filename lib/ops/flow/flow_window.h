// SPDX-License-Identifier: LGPL-2.1-or-later
// Windows of optical flow: brightness between pixels, derivatives, and sums over a window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cltrack/image_view.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/flow/point_flow.h"

namespace cltrack {

// Brightness between pixels, in integers, for optical flow and the similarity of points.

// The pixel up left of a place, and the weights of the four pixels around it: whole numbers that
// add up to 2^14. One of them may be -1.
struct PixelWeights {
  int x = 0;
  int y = 0;
  int upper_left = 0;
  int upper_right = 0;
  int lower_left = 0;
  int lower_right = 0;
};

// Both coordinates must be within +-2^22.
inline PixelWeights pixel_weights(float left, float top) {
  // floor() and rint() would be calls: x86 has no instructions for them before SSE4.1.
  const auto floored = [](float v) {
    const int towards_zero = static_cast<int>(v);
    return towards_zero - (v < static_cast<float>(towards_zero) ? 1 : 0);
  };
  const auto rounded = [](float v) {
    constexpr float kFirstWithoutFraction = 3 << 22;
    return static_cast<int>((v + kFirstWithoutFraction) - kFirstWithoutFraction);
  };
  constexpr float kOne = 1 << 14;
  PixelWeights at;
  at.x = floored(left);
  at.y = floored(top);
  const float fx = left - static_cast<float>(at.x);
  const float fy = top - static_cast<float>(at.y);
  at.upper_left = rounded((1 - fx) * (1 - fy) * kOne);
  at.upper_right = rounded(fx * (1 - fy) * kOne);
  at.lower_left = rounded((1 - fx) * fy * kOne);
  at.lower_right = (1 << 14) - at.upper_left - at.upper_right - at.lower_left;
  return at;
}

// The four entries from `p` on, times 2^14.
template <typename T>
int weigh(const T* p, std::ptrdiff_t stride, const PixelWeights& at) {
  return p[0] * at.upper_left + p[1] * at.upper_right + p[stride] * at.lower_left +
         p[stride + 1] * at.lower_right;
}

// Part of the host's point_flow(): a window of a picture, and its difference from a window of
// another picture. All in integers, so that the bodies give the same results in every bit.

// The window as it is kept: row by row, kStride entries from one to the next.
struct FlowWindow {
  static constexpr int kStride = 32;
  static constexpr int kEntries = kStride * kLargestFlowWindow;

  int size = 0;                              // pixels a side, at most kLargestFlowWindow
  alignas(32) std::int16_t value[kEntries];  // brightness, 5 bits after the point
  alignas(32) std::int16_t dx[kEntries];     // Scharr's derivatives, 32 times those of brightness
  alignas(32) std::int16_t dy[kEntries];
};

struct FlowSums {
  std::int64_t xx = 0;  // of dx * dx and so on, over the window
  std::int64_t xy = 0;
  std::int64_t yy = 0;
};

struct FlowMismatch {
  std::int64_t x = 0;  // of the difference in brightness times dx, over the window
  std::int64_t y = 0;
};

struct FlowWindowBody {
  // Fills the window from the place `corner` of the picture on; its size is given. Beyond the
  // border the picture mirrors, and derivatives are 0.
  FlowSums (*take)(const PaddedView& picture, const PixelWeights& corner, FlowWindow& window);
  // Compares it with the pixels at another place, of another picture.
  FlowMismatch (*compare)(const PaddedView& picture, const PixelWeights& corner,
                          const FlowWindow& window);
};

namespace reference {
FlowWindowBody flow_window();
}
namespace vector {  // the reference where the processor has no AVX2
FlowWindowBody flow_window();
}

// A view of columns x rows pixels from (left, top) on, which may lie beyond the border: of the
// picture itself if it has them all, else of a copy in `scratch`.
ImageView flow_pixels(const PaddedView& picture, int left, int top, int columns, int rows,
                      std::uint8_t* scratch);

// point_flow() with these bodies of its parts.
void track_points(const FlowPyramidView& from, const FlowPyramidView& to,
                  std::span<const Point> points, const FlowSettings& settings,
                  const FlowWindowBody& body, decltype(&reference::point_similarity) similarity,
                  TrackedPoint* result);

}  // namespace cltrack
