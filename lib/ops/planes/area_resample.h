// SPDX-License-Identifier: LGPL-2.1-or-later
// Parts of pictures at another resolution.
#pragma once

#include "cltrack/bounding_box.h"
#include "cltrack/image_view.h"

namespace cltrack {

// Resamples `region` of the picture to the size of `reduced`: each pixel is the mean over its share
// of the region, or linearly interpolated where its share is smaller than a pixel of the picture.
// Beyond its edges the picture is continued with its nearest pixels. `region` is in pixels of the
// picture, at any position; its sides are greater than 0. Weights are integers of 14 bits, so that
// results are the same everywhere. Any thread may call it.
void resample_area(const ImageView& picture, const BoundingBox& region, Image& reduced);

}  // namespace cltrack
