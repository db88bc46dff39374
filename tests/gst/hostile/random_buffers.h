// SPDX-License-Identifier: LGPL-2.1-or-later
// Buffers that some element may hand on: right ones, and such whose memory is too small, in pieces,
// not aligned or not writable, or whose GstVideoMeta is wrong.
#pragma once

#include <gst/video/video.h>

#include <string>

#include "../support/gst_ptr.h"
#include "random_values.h"

namespace cltrack::test {

// A buffer for caps of `info`; what is special about it is appended to `description`. Has no
// timestamp.
BufferPtr random_buffer(RandomValues& random, const GstVideoInfo& info, std::string& description);

}  // namespace cltrack::test
