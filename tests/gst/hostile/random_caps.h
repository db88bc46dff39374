// SPDX-License-Identifier: LGPL-2.1-or-later
// Caps of raw video that some element may hand on: of any format, of odd and extreme sizes, with
// fields and features that few elements look at.
#pragma once

#include <gst/video/video.h>

#include <vector>

#include "../support/gst_ptr.h"
#include "random_values.h"

namespace cltrack::test {

// Pictures of these caps have up to some 10,000 pixels, but now and then the caps are those of a
// picture that nobody has the memory for.
CapsPtr random_caps(RandomValues& random, const std::vector<GstVideoFormat>& formats);

std::string describe_caps(const GstCaps* caps);

}  // namespace cltrack::test
