// SPDX-License-Identifier: LGPL-2.1-or-later
#include "control/clipped_box.h"

#include <sstream>

#include "cltrack/tracker.h"

namespace cltrack::gst {
namespace {

bool is_inside(const BoundingBox& box, int width, int height) {
  return box.x >= 0 && box.y >= 0 && box.right() <= static_cast<float>(width) &&
         box.bottom() <= static_cast<float>(height);
}

std::string describe_clipping(const BoundingBox& box, const BoundingBox& inside, int width,
                              int height) {
  const auto write = [](std::ostringstream& out, const BoundingBox& b) {
    out << "x=" << b.x << " y=" << b.y << " width=" << b.width << " height=" << b.height;
  };
  std::ostringstream text;
  text << "target ";
  write(text, box);
  text << " extends beyond the frame of " << width << "x" << height << " pixels: clipped to ";
  write(text, inside);
  return text.str();
}

}  // namespace

BoundingBox clip_with_warning(const BoundingBox& box, int width, int height,
                              std::vector<std::string>& warnings) {
  const BoundingBox inside = clip_target(box, width, height);
  if (is_inside(box, width, height)) return box;
  warnings.push_back(describe_clipping(box, inside, width, height));
  return inside;
}

}  // namespace cltrack::gst
