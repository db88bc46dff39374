// SPDX-License-Identifier: LGPL-2.1-or-later
// What a target's correlation filters and its colours say together: where it went, and how sure
// that is.
#pragma once

#include <span>

#include "motion/motion_estimator.h"

namespace cltrack {

struct FilterAnswer {
  float x = 0;  // how far it moved, cells: -16 to 16
  float y = 0;
  FilterQuality quality;
};

// The responses of the filter that follows the target, of the one of its first frame, and of its
// colours, as filter_respond() and color_response() lay them out. The first frame's has a quarter
// of the answer: what follows a target drifts, and what does not follow it knows it no more.
// `color` may be empty. The box has width x height cells.
FilterAnswer filter_answer(std::span<const float> follower, std::span<const float> first,
                           std::span<const float> color, float width, float height);

}  // namespace cltrack
