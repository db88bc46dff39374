// SPDX-License-Identifier: LGPL-2.1-or-later
// Random buffers: valid ones, and some with memory that is too small, split, unaligned or
// read-only, or with a wrong GstVideoMeta. And metas on them.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <string>

#include "../support/gst_ptr.h"
#include "random_values.h"

namespace cltrack::test {

// A buffer for caps of `info`; what is special about it is appended to `description`. Has no
// timestamp.
BufferPtr random_buffer(RandomValues& random, const GstVideoInfo& info, std::string& description);

// Adds none, a few, or very many.
void add_random_regions(RandomValues& random, GstBuffer* buffer, std::string& description);

// Adds none, a few, or very many; none in a build without GstAnalytics.
void add_random_objects(RandomValues& random, GstBuffer* buffer, std::string& description);

}  // namespace cltrack::test
