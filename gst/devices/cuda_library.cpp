// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/cuda_library.h"

#include <dlfcn.h>

#include <array>

namespace cltrack::gst {
namespace {

constexpr const char* kMemoryType = "gst.cuda.memory";

// What every GstCudaMemory begins with.
struct CudaMemoryHead {
  GstMemory memory;
  GstObject* context;
};

template <typename Function>
bool look_up(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

struct Found {
  CudaLibrary library;
  std::string missing;  // empty if nothing is
};

Found look_up_all(void* library) {
  Found found;
  CudaLibrary& to = found.library;
  const auto need = [&](const char* name, auto& function) {
    if (!look_up(library, name, function) && found.missing.empty()) found.missing = name;
  };
  need("gst_cuda_memory_get_alloc_method", to.get_alloc_method);
  need("gst_cuda_memory_export", to.export_memory);
  need("gst_cuda_memory_sync", to.sync);
  need("gst_cuda_create_user_token", to.create_token);
  need("gst_cuda_memory_set_token_data", to.set_token_data);
  need("gst_cuda_memory_get_token_data", to.get_token_data);
  need("gst_cuda_buffer_pool_new", to.new_pool);
  need("gst_buffer_pool_config_set_cuda_alloc_method", to.set_alloc_method);
  need("gst_cuda_context_push", to.push_context);
  need("gst_cuda_context_pop", to.pop_context);
  need("gst_cuda_memory_get_stream", to.get_stream);
  need("gst_cuda_stream_get_handle", to.get_stream_handle);
  need("CuMemcpy2DAsync", to.copy_plane);
  need("CuStreamSynchronize", to.wait_for_stream);
  return found;
}

// Opens only what the process has already, and keeps it.
void* loaded(const char* name) { return dlopen(name, RTLD_NOW | RTLD_NOLOAD); }

}  // namespace

bool is_cuda(const GstCaps* caps) {
  if (caps == nullptr || gst_caps_get_size(caps) == 0) return false;
  const GstCapsFeatures* features = gst_caps_get_features(caps, 0);
  return features != nullptr && gst_caps_features_contains(features, kCudaFeature);
}

bool is_cuda(GstMemory* memory) { return gst_memory_is_type(memory, kMemoryType); }

const CudaLibrary* CudaLibrary::find(std::string& reason) {
  static void* const library = loaded("libgstcuda-1.0.so.0");
  if (library == nullptr) {
    reason = "GStreamer's CUDA library (libgstcuda-1.0.so.0) is not there";
    return nullptr;
  }
  static const Found found = look_up_all(library);
  if (found.missing.empty()) return &found.library;
  reason = "GStreamer's CUDA library has no " + found.missing + "(): 1.24 or newer has";
  return nullptr;
}

GstObject* context_of(GstMemory* memory) {
  return reinterpret_cast<CudaMemoryHead*>(memory)->context;
}

std::string uuid_of(GstObject* context) {
  using GetDevice = int (*)(int* device, int index);
  using GetUuid = int (*)(unsigned char* uuid, int device);
  static void* const driver = loaded("libcuda.so.1");
  GetDevice get_device = nullptr;
  GetUuid get_uuid = nullptr;
  std::string text;
  if (driver == nullptr || !look_up(driver, "cuDeviceGet", get_device) ||
      !look_up(driver, "cuDeviceGetUuid", get_uuid)) {
    return text;
  }
  guint index = 0;
  g_object_get(context, "cuda-device-id", &index, nullptr);
  int device = 0;
  std::array<unsigned char, 16> bytes{};
  if (get_device(&device, static_cast<int>(index)) != 0 || get_uuid(bytes.data(), device) != 0) {
    return text;
  }
  for (const unsigned char byte : bytes) {
    constexpr const char* kDigits = "0123456789abcdef";
    text += {kDigits[byte >> 4], kDigits[byte & 15]};
  }
  return text;
}

}  // namespace cltrack::gst
