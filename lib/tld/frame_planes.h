// SPDX-License-Identifier: LGPL-2.1-or-later
// What all targets share of one frame.
#pragma once

#include "core/image_view.h"
#include "ops/blur.h"
#include "ops/integral.h"
#include "ops/point_flow.h"

namespace cltrack {

struct FramePlanes {
  ImageView luma;       // the frame's own memory
  Image blurred;        // what the ferns see
  Integrals integrals;  // what the variance filter sees
  FlowPyramid pyramid;  // what median flow sees
  BlurScratch scratch;
};

}  // namespace cltrack
