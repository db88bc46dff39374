// SPDX-License-Identifier: LGPL-2.1-or-later
// Those functions of GStreamer's CUDA library (libgstcuda, 1.24 or newer) that are needed to reach
// the memory of decoded pictures. They are looked up at run time, in the library that the element
// which has made such memory brings along: so one build of the plugin serves all releases, depends
// on neither CUDA nor GL, and needs no headers of CUDA, which Debian does not ship.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <string>

namespace cltrack::gst {

inline constexpr const char* kCudaFeature = "memory:CUDAMemory";

// Whether caps ask for such memory; and whether a memory is of that kind, whatever caps say.
bool is_cuda(const GstCaps* caps);
bool is_cuda(GstMemory* memory);

struct CudaLibrary {
  // GstCudaMemory and GstCudaContext by their base classes.
  gint (*get_alloc_method)(GstMemory* memory) = nullptr;
  gboolean (*export_memory)(GstMemory* memory, gpointer descriptor) = nullptr;
  void (*sync)(GstMemory* memory) = nullptr;
  gint64 (*create_token)() = nullptr;
  void (*set_token_data)(GstMemory* memory, gint64 token, gpointer data,
                         GDestroyNotify notify) = nullptr;
  gpointer (*get_token_data)(GstMemory* memory, gint64 token) = nullptr;
  GstBufferPool* (*new_pool)(GstObject* context) = nullptr;
  void (*set_alloc_method)(GstStructure* config, gint method) = nullptr;

  static constexpr gint kExportable = 2;  // GST_CUDA_MEMORY_ALLOC_MMAP

  // Null, with the reason, if the process has no such library, or one that is too old.
  static const CudaLibrary* find(std::string& reason);
};

// The GstCudaContext of a memory that is_cuda().
GstObject* context_of(GstMemory* memory);
// The UUID of its device, as DeviceInfo::uuid; empty if CUDA does not say.
std::string uuid_of(GstObject* context);

}  // namespace cltrack::gst
