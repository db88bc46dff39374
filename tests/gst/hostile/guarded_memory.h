// SPDX-License-Identifier: LGPL-2.1-or-later
// Memory for buffers that tells when something was written beyond its ends. Under AddressSanitizer
// reading there stops the program as well.
#pragma once

#include <gst/gst.h>

namespace cltrack::test {

// `size` bytes, which begin `misalignment` bytes (0 to 63) behind a multiple of 64.
GstMemory* make_guarded_memory(gsize size, gsize misalignment, GstMemoryFlags flags);

}  // namespace cltrack::test
