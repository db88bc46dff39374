// SPDX-License-Identifier: LGPL-2.1-or-later
// A drawn street: a van drives along, a bus hides it for a while; a balloon flies by.
#pragma once

#include <cairo.h>

#include "cltrack/bounding_box.h"

namespace cltrack::test {

class StreetScene {
 public:
  static constexpr int kWidth = 640;
  static constexpr int kHeight = 360;
  static constexpr int kFrames = 112;
  static constexpr int kRate = 25;  // frames a second

  // Where they are, hidden or not.
  static BoundingBox van(int frame);
  static BoundingBox balloon(int frame);
  // Whether the bus hides all of the van.
  static bool is_hidden(int frame);

  static void draw(cairo_t* cairo, int frame);
};

}  // namespace cltrack::test
