// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory for buffers that detects writes beyond its ends. Under AddressSanitizer reads there stop
// the program, too.
#pragma once

#include <gst/gst.h>

namespace cltrack::test {

// `size` bytes, which begin `misalignment` bytes (0 to 63) behind a multiple of 64.
GstMemory* make_guarded_memory(gsize size, gsize misalignment, GstMemoryFlags flags);

}  // namespace cltrack::test
