// SPDX-License-Identifier: LGPL-2.1-or-later
// Those functions of GStreamer's CUDA library (libgstcuda, 1.24 or newer) that are needed to reach
// the memory of decoded pictures. They are looked up at run time, in the library that the element
// which has made such memory brings along: so one build of the plugin serves all releases, depends
// on neither CUDA nor GL, and needs no headers of CUDA, which Debian does not ship.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <cstddef>
#include <string>

namespace cltrack::gst {

inline constexpr const char* kCudaFeature = "memory:CUDAMemory";

// Whether caps ask for such memory; and whether a memory is of that kind, whatever caps say.
bool is_cuda(const GstCaps* caps);
bool is_cuda(GstMemory* memory);

// A picture's plane on its way from one memory of a device to another: what cuMemcpy2DAsync() takes
// (CUDA_MEMCPY2D).
struct CudaPlaneCopy {
  static constexpr int kDeviceMemory = 2;  // CU_MEMORYTYPE_DEVICE
  struct Side {
    std::size_t x = 0, y = 0;
    int type = kDeviceMemory;
    const void* host = nullptr;
    void* device = nullptr;
    void* array = nullptr;
    std::size_t stride = 0;
  };
  Side from, to;
  std::size_t row_bytes = 0, rows = 0;
};

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
  // GstCudaStream and CUstream; null is the one that is always there. What the last two return is 0
  // if all is well.
  gboolean (*push_context)(GstObject* context) = nullptr;
  gboolean (*pop_context)(gpointer* context) = nullptr;
  gpointer (*get_stream)(GstMemory* memory) = nullptr;
  gpointer (*get_stream_handle)(gpointer stream) = nullptr;
  // Takes a CudaPlaneCopy.
  int (*copy_plane)(gconstpointer copy, gpointer stream_handle) = nullptr;
  int (*wait_for_stream)(gpointer stream_handle) = nullptr;

  static constexpr gint kExportable = 2;                            // GST_CUDA_MEMORY_ALLOC_MMAP
  static constexpr int kMapOnDevice = int{GST_MAP_FLAG_LAST} << 1;  // GST_MAP_CUDA

  // Null, with the reason, if the process has no such library, or one that is too old.
  static const CudaLibrary* find(std::string& reason);
};

// The GstCudaContext of a memory that is_cuda().
GstObject* context_of(GstMemory* memory);
// The UUID of its device, as DeviceInfo::uuid; empty if CUDA does not say.
std::string uuid_of(GstObject* context);

}  // namespace cltrack::gst
