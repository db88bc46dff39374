// SPDX-License-Identifier: LGPL-2.1-or-later
// Plays GStreamer's CUDA library (libgstcuda, under its name) for tests without a GPU: its memory
// lies in the host's, and is exported as a descriptor that faulty_opencl imports. What the host
// maps is a copy, and goes to that memory when it is mapped on the device next. fake_cuda.h has
// what tests use.
#include <gst/video/video.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "fake_cuda.h"

#define EXPORTED extern "C" __attribute__((visibility("default")))

namespace {

struct Attached {
  gpointer data;
  GDestroyNotify notify;
};

struct FakeMemory {
  GstMemory memory;
  GstObject* context;
  int descriptor;
  guint8* data;
  std::vector<guint8>* on_host;  // empty if nobody has mapped it there since
  bool is_written;               // by the host: it has to be uploaded
  gboolean is_exportable;
  std::map<gint64, Attached>* attached;
};

FakeMemory* fake(GstMemory* memory) { return reinterpret_cast<FakeMemory*>(memory); }

constexpr int kMapOnDevice = int{GST_MAP_FLAG_LAST} << 1;

int exports = 0, syncs = 0, copies = 0, memories = 0, contexts = 0;
std::string failing;
int calls_until_it_fails = 0;

bool fails(const char* function) { return failing == function && --calls_until_it_fails <= 0; }

}  // namespace

G_BEGIN_DECLS
G_DECLARE_FINAL_TYPE(FakeContext, fake_context, FAKE, CONTEXT, GstObject)
G_DECLARE_FINAL_TYPE(FakeAllocator, fake_allocator, FAKE, ALLOCATOR, GstAllocator)
G_END_DECLS

struct _FakeContext {
  GstObject parent;
};
G_DEFINE_TYPE(FakeContext, fake_context, GST_TYPE_OBJECT)

static void fake_context_get(GObject*, guint, GValue* value, GParamSpec*) {
  g_value_set_uint(value, 0);
}
static void fake_context_class_init(FakeContextClass* klass) {
  G_OBJECT_CLASS(klass)->get_property = fake_context_get;
  g_object_class_install_property(
      G_OBJECT_CLASS(klass), 1,
      g_param_spec_uint("cuda-device-id", nullptr, nullptr, 0, 9, 0, G_PARAM_READABLE));
}
static void fake_context_init(FakeContext*) {}

struct _FakeAllocator {
  GstAllocator parent;
};
G_DEFINE_TYPE(FakeAllocator, fake_allocator, GST_TYPE_ALLOCATOR)

static GstMemory* fake_alloc(GstAllocator* allocator, gsize size, GstAllocationParams*) {
  auto* made = g_new0(FakeMemory, 1);
  gst_memory_init(GST_MEMORY_CAST(made), static_cast<GstMemoryFlags>(0), allocator, nullptr, size,
                  0, 0, size);
  made->descriptor = memfd_create("fake-cuda", MFD_CLOEXEC);
  if (ftruncate(made->descriptor, static_cast<off_t>(size)) != 0) g_error("no memory");
  made->data = static_cast<guint8*>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, made->descriptor, 0));
  made->context = fake_cuda_context();
  made->is_exportable = TRUE;
  made->attached = new std::map<gint64, Attached>;
  made->on_host = new std::vector<guint8>;
  ++memories;
  return GST_MEMORY_CAST(made);
}
static void fake_free(GstAllocator*, GstMemory* memory) {
  for (const auto& [token, attached] : *fake(memory)->attached) attached.notify(attached.data);
  delete fake(memory)->attached;
  delete fake(memory)->on_host;
  munmap(fake(memory)->data, memory->maxsize);
  close(fake(memory)->descriptor);
  --memories;
  g_free(memory);
}
static void fake_allocator_class_init(FakeAllocatorClass* klass) {
  GST_ALLOCATOR_CLASS(klass)->alloc = fake_alloc;
  GST_ALLOCATOR_CLASS(klass)->free = fake_free;
}
// GStreamer defines flags beyond those of the enumeration (GST_MAP_FLAG_LAST), as CUDA's.
__attribute__((no_sanitize("enum"))) static gpointer fake_map(GstMemory* memory, gsize size,
                                                              GstMapFlags flags) {
  FakeMemory* const own = fake(memory);
  const bool writes = (int{flags} & GST_MAP_WRITE) != 0;
  if ((int{flags} & kMapOnDevice) == 0) {
    if (own->on_host->empty()) own->on_host->assign(own->data, own->data + size);
    own->is_written = own->is_written || writes;
    return own->on_host->data();
  }
  if (fails("map")) return nullptr;
  if (own->is_written) std::copy(own->on_host->begin(), own->on_host->end(), own->data);
  own->is_written = false;
  if (writes) own->on_host->clear();
  return own->data;
}
static void fake_unmap(GstMemory*) {}
static void fake_allocator_init(FakeAllocator* self) {
  GST_ALLOCATOR_CAST(self)->mem_type = "gst.cuda.memory";
  GST_ALLOCATOR_CAST(self)->mem_map = fake_map;
  GST_ALLOCATOR_CAST(self)->mem_unmap = fake_unmap;
  GST_OBJECT_FLAG_SET(self, GST_ALLOCATOR_FLAG_CUSTOM_ALLOC);
}

EXPORTED GstObject* fake_cuda_context() {
  static GstObject* const context = GST_OBJECT(g_object_new(fake_context_get_type(), nullptr));
  return context;
}

static GstMemory* new_memory(gsize size) {
  static auto* const allocator = GST_ALLOCATOR(g_object_new(fake_allocator_get_type(), nullptr));
  return gst_allocator_alloc(allocator, size, nullptr);
}

// Rows are longer than anybody else's, as those of CUDA's pools are.
G_BEGIN_DECLS
G_DECLARE_FINAL_TYPE(FakePool, fake_pool, FAKE, POOL, GstBufferPool)
G_END_DECLS

struct _FakePool {
  GstBufferPool parent;
};
G_DEFINE_TYPE(FakePool, fake_pool, GST_TYPE_BUFFER_POOL)

static gint stride_of(const GstVideoInfo& info) {
  return (GST_VIDEO_INFO_WIDTH(&info) + 511) / 512 * 512;
}
static gsize luma_size(const GstVideoInfo& info) {
  return static_cast<gsize>(stride_of(info) * GST_VIDEO_INFO_HEIGHT(&info));
}
static GstVideoInfo read_info(GstStructure* config) {
  GstCaps* caps = nullptr;
  gst_buffer_pool_config_get_params(config, &caps, nullptr, nullptr, nullptr);
  GstVideoInfo info;
  gst_video_info_from_caps(&info, caps);
  return info;
}
static gboolean fake_pool_set_config(GstBufferPool* pool, GstStructure* config) {
  if (fails("gst_buffer_pool_set_config")) return FALSE;
  GstCaps* caps = nullptr;
  guint min = 0, max = 0;
  gst_buffer_pool_config_get_params(config, &caps, nullptr, &min, &max);
  const auto size = static_cast<guint>(luma_size(read_info(config)) / 2 * 3);
  gst_buffer_pool_config_set_params(config, caps, size, min, max);
  return GST_BUFFER_POOL_CLASS(fake_pool_parent_class)->set_config(pool, config);
}
static gboolean fake_pool_start(GstBufferPool*) { return fails("start") ? FALSE : TRUE; }
static GstFlowReturn fake_pool_alloc(GstBufferPool* pool, GstBuffer** buffer,
                                     GstBufferPoolAcquireParams*) {
  if (fails("acquire")) return GST_FLOW_ERROR;
  GstStructure* const config = gst_buffer_pool_get_config(pool);
  const GstVideoInfo info = read_info(config);
  gst_structure_free(config);
  const gint stride = stride_of(info);
  const gsize luma = luma_size(info);
  gsize offsets[GST_VIDEO_MAX_PLANES] = {0, luma};
  gint strides[GST_VIDEO_MAX_PLANES] = {stride, stride};
  *buffer = gst_buffer_new();
  gst_buffer_append_memory(*buffer, new_memory(luma / 2 * 3));
  gst_buffer_add_video_meta_full(*buffer, GST_VIDEO_FRAME_FLAG_NONE, GST_VIDEO_FORMAT_NV12,
                                 static_cast<guint>(GST_VIDEO_INFO_WIDTH(&info)),
                                 static_cast<guint>(GST_VIDEO_INFO_HEIGHT(&info)), 2, offsets,
                                 strides);
  return GST_FLOW_OK;
}
static void fake_pool_class_init(FakePoolClass* klass) {
  GST_BUFFER_POOL_CLASS(klass)->set_config = fake_pool_set_config;
  GST_BUFFER_POOL_CLASS(klass)->start = fake_pool_start;
  GST_BUFFER_POOL_CLASS(klass)->alloc_buffer = fake_pool_alloc;
}
static void fake_pool_init(FakePool*) {}

EXPORTED GstMemory* fake_cuda_memory(const void* bytes, gsize size, gboolean exportable) {
  GstMemory* const made = new_memory(size);
  std::memcpy(fake(made)->data, bytes, size);
  fake(made)->is_exportable = exportable;
  return made;
}
EXPORTED int fake_cuda_exports() { return exports; }
EXPORTED int fake_cuda_syncs() { return syncs; }
EXPORTED int fake_cuda_memories() { return memories; }
EXPORTED int fake_cuda_copies() { return copies; }
EXPORTED void fake_cuda_fail(const char* function, int nth) {
  failing = function != nullptr ? function : "";
  calls_until_it_fails = nth;
}

EXPORTED gint gst_cuda_memory_get_alloc_method(GstMemory* memory) {
  return fake(memory)->is_exportable ? 2 : 1;
}
EXPORTED gboolean gst_cuda_memory_export(GstMemory* memory, gpointer descriptor) {
  ++exports;
  if (fails("gst_cuda_memory_export")) return FALSE;
  *static_cast<int*>(descriptor) = fake(memory)->descriptor;
  return TRUE;
}
EXPORTED void gst_cuda_memory_sync(GstMemory*) { ++syncs; }
EXPORTED gint64 gst_cuda_create_user_token() {
  static gint64 last = 0;
  return ++last;
}
EXPORTED void gst_cuda_memory_set_token_data(GstMemory* memory, gint64 token, gpointer data,
                                             GDestroyNotify notify) {
  auto& attached = *fake(memory)->attached;
  if (const auto known = attached.find(token); known != attached.end()) {
    known->second.notify(known->second.data);
  }
  attached[token] = {data, notify};
}
EXPORTED gpointer gst_cuda_memory_get_token_data(GstMemory* memory, gint64 token) {
  const auto& attached = *fake(memory)->attached;
  const auto known = attached.find(token);
  return known != attached.end() ? known->second.data : nullptr;
}
EXPORTED GstBufferPool* gst_cuda_buffer_pool_new(GstObject* context) {
  auto* const pool = GST_BUFFER_POOL(g_object_new(fake_pool_get_type(), nullptr));
  gst_object_ref_sink(pool);
  g_object_set_data(G_OBJECT(pool), "context", context);
  return pool;
}
EXPORTED void gst_buffer_pool_config_set_cuda_alloc_method(GstStructure* config, gint method) {
  gst_structure_set(config, "alloc-method", G_TYPE_INT, method, nullptr);
}

// One stream for all, of which nothing is done before somebody waits for it.
EXPORTED gboolean gst_cuda_context_push(GstObject* context) {
  if (context != fake_cuda_context() || fails("gst_cuda_context_push")) return FALSE;
  ++contexts;
  return TRUE;
}
EXPORTED gboolean gst_cuda_context_pop(gpointer*) {
  --contexts;
  return TRUE;
}
namespace {
// As the header of CUDA's driver has it.
struct CUDA_MEMCPY2D {
  std::size_t srcXInBytes, srcY;
  int srcMemoryType;
  const void* srcHost;
  unsigned long long srcDevice;
  void* srcArray;
  std::size_t srcPitch;
  std::size_t dstXInBytes, dstY;
  int dstMemoryType;
  void* dstHost;
  unsigned long long dstDevice;
  void* dstArray;
  std::size_t dstPitch;
  std::size_t WidthInBytes, Height;
};
constexpr int CU_MEMORYTYPE_DEVICE = 2;

std::vector<CUDA_MEMCPY2D> queued;
}  // namespace
EXPORTED gpointer gst_cuda_memory_get_stream(GstMemory*) { return &queued; }
EXPORTED gpointer gst_cuda_stream_get_handle(gpointer stream) { return stream; }
EXPORTED int CuMemcpy2DAsync(gconstpointer given, gpointer stream) {
  const auto* const copy = static_cast<const CUDA_MEMCPY2D*>(given);
  if (contexts != 1) return 201;      // CUDA_ERROR_INVALID_CONTEXT
  if (stream != &queued) return 400;  // CUDA_ERROR_INVALID_HANDLE
  if (copy->srcMemoryType != CU_MEMORYTYPE_DEVICE || copy->dstMemoryType != CU_MEMORYTYPE_DEVICE) {
    return 1;  // CUDA_ERROR_INVALID_VALUE
  }
  if (fails("CuMemcpy2DAsync")) return 700;
  queued.push_back(*copy);
  return 0;
}
EXPORTED int CuStreamSynchronize(gpointer) {
  if (contexts != 1) return 201;
  for (const CUDA_MEMCPY2D& copy : queued) {
    for (std::size_t row = 0; row < copy.Height; ++row) {
      std::memcpy(reinterpret_cast<void*>(copy.dstDevice + row * copy.dstPitch),
                  reinterpret_cast<const void*>(copy.srcDevice + row * copy.srcPitch),
                  copy.WidthInBytes);
    }
  }
  copies += queued.empty() ? 0 : 1;
  queued.clear();
  return fails("CuStreamSynchronize") ? 700 : 0;
}
