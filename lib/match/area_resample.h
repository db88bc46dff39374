// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures at another resolution, for templates to be compared at.
#pragma once

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"

namespace cltrack {

// Fills `reduced`, whose size is set, with what `region` of the picture shows: each pixel is the
// mean over its share of the region, or over one pixel of the picture where its share is smaller
// (which is linear interpolation). Beyond its edges the picture goes on as its nearest pixel.
// `region` is in pixels of the picture, of any position and size over 0. Weights are integers of 14
// bits: the same bytes everywhere. Threading: any.
void resample_area(const ImageView& picture, const BoundingBox& region, Image& reduced);

}  // namespace cltrack
