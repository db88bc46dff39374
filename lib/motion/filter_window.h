// SPDX-License-Identifier: LGPL-2.1-or-later
// The window that a correlation filter looks at: a square around a box, of 5.5 times the root of
// its area a side, and where the box lies in it.
#pragma once

#include "cltrack/bounding_box.h"
#include "kernels/filter_types.h"
#include "ops/filter/hog.h"
#include "ops/filter/translation_filter.h"

namespace cltrack {

inline constexpr int kFilterSide = kFilterCells * kCellSide;  // of a window, samples

// The box with sides that windows can be made of, 2 to 16384 pixels, about the same middle: frames
// that become smaller leave smaller ones.
BoundingBox usable_box(const BoundingBox& box);

// The box `factor` times as large, about the same middle. A side does not get out of those limits
// by it.
BoundingBox scaled_box(const BoundingBox& box, float factor);

// A side of the window around a valid box, pixels.
float filter_window_side(const BoundingBox& box);

// Throws Error as window_job() does.
WindowJob filter_window(const BoundingBox& box);

// A side of the box in samples of its window: 1 to kFilterSide.
int samples_in_window(float side, const BoundingBox& box);

// The target's colours are those inside the box less a fifth of its mean side, so that little of
// the background is there; the background's are those outside of the box.
ColorLearnJob color_learn_job(int window, int slot, const BoundingBox& box, float rate);

}  // namespace cltrack
