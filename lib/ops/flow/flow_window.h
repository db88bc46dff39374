// SPDX-License-Identifier: LGPL-2.1-or-later
// Part of the host's point_flow(): a window of a picture, and its difference from a window of
// another picture. All in integers, so that the bodies give the same results in every bit.
#pragma once

#include <cstdint>
#include <span>

#include "cltrack/image_view.h"
#include "ops/flow/between_pixels.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/flow/point_flow.h"
#include "ops/flow/point_similarity.h"

namespace cltrack {

// What is kept of the window: row by row, kStride entries from one to the next.
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
