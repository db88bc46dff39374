// SPDX-License-Identifier: LGPL-2.1-or-later
// What fake_gstcuda.cpp has for tests. The test program finds it by dlsym().
#pragma once

#include <gst/gst.h>

extern "C" {
GstObject* fake_cuda_context();
// With these bytes. The caller owns it.
GstMemory* fake_cuda_memory(const void* bytes, gsize size, gboolean exportable);
// Calls so far.
int fake_cuda_exports();
int fake_cuda_syncs();
}
