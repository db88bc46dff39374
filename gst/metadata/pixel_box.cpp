// SPDX-License-Identifier: LGPL-2.1-or-later
#include "metadata/pixel_box.h"

#include <algorithm>
#include <cmath>

namespace cltrack::gst {

std::optional<BoundingBox> visible_box(const Track& track, int frame_width, int frame_height) {
  if (!track.has_box() || !track.box.is_valid()) return std::nullopt;
  const BoundingBox inside = clip_to_frame(track.box, frame_width, frame_height);
  if (inside.width <= 0 || inside.height <= 0) return std::nullopt;
  return inside;
}

PixelBox to_pixels(const BoundingBox& box, int frame_width, int frame_height) {
  const auto span = [](float low, float high, int limit, int& start, int& length) {
    start = std::min(static_cast<int>(std::lround(low)), limit - 1);
    length = std::clamp(static_cast<int>(std::lround(high)), start + 1, limit) - start;
  };
  PixelBox pixels{};
  span(box.x, box.right(), frame_width, pixels.x, pixels.width);
  span(box.y, box.bottom(), frame_height, pixels.y, pixels.height);
  return pixels;
}

}  // namespace cltrack::gst
