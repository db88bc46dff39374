// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

#include <cstdint>

#include "cltrack/bounding_box.h"
#include "tld/object_model.h"

namespace cltrack {

// A window that passed the ferns, and how much it looks like the target.
struct Detection {
  std::uint32_t window = 0;  // of the target's grid
  BoundingBox box;           // the window's, until it is refined
  Similarity similarity;
  bool counts = true;  // the target may be found again there
};

}  // namespace cltrack
