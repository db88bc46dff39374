// SPDX-License-Identifier: LGPL-2.1-or-later
// Random caps of raw video: of any format, of odd and extreme sizes, with rarely used fields and
// features.
#pragma once

#include <gst/video/video.h>

#include <vector>

#include "../support/gst_ptr.h"
#include "random_values.h"

namespace cltrack::test {

// Pictures of these caps have up to some 10,000 pixels; rarely, more than any memory can hold.
CapsPtr random_caps(RandomValues& random, const std::vector<GstVideoFormat>& formats);

std::string describe_caps(const GstCaps* caps);

}  // namespace cltrack::test
