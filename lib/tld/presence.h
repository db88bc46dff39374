// SPDX-License-Identifier: LGPL-2.1-or-later
// How probable it is that a box shows the target, from all that is known of the box.
//
// A logistic regression. Its weights were fitted to 29,000 frames of 25 sequences and of what was
// made of them (cropped, with the target covered for a while, backwards); docs/accuracy.md says how
// and what it is worth on sequences that were left out.
#pragma once

#include "motion/motion_estimator.h"

namespace cltrack {

struct Evidence {
  FilterQuality filter;
  float conservative = 0;  // similarity of the box's patch to the object model
  int support = 0;         // windows that passed the ferns and overlap the box by more than half
  // Frames in a row, this one included, on which neither ferns nor object model spoke for the box.
  // The filter alone follows background as surely as the target, once it has learnt some.
  int unsupported = 0;
  float inside = 1;  // share of the box that is in the picture
};

// Whether ferns or object model speak for the box.
bool is_supported(const Evidence& evidence);

// 0 to 1: the share of such boxes that overlap the target by at least a quarter.
float presence(const Evidence& evidence);

}  // namespace cltrack
