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
// Memories that there are, and calls of CUDA's that wait for no fault.
int fake_cuda_memories();
int fake_cuda_copies();
// From its `nth` call on, this function fails; null: none does. "map" stands for maps on the
// device, "acquire" and "start" for what pools do.
void fake_cuda_fail(const char* function, int nth);
}
