// SPDX-License-Identifier: LGPL-2.1-or-later
// Plays GStreamer's CUDA library (libgstcuda, under its name) for tests without a GPU: its memory
// lies in the host's, and is exported as a descriptor that faulty_opencl imports. fake_cuda.h has
// what tests use.
#include <gst/video/gstvideopool.h>
#include <gst/video/video.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <map>

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
  gboolean is_exportable;
  std::map<gint64, Attached>* attached;
};

FakeMemory* fake(GstMemory* memory) { return reinterpret_cast<FakeMemory*>(memory); }

int exports = 0, syncs = 0;

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
  return GST_MEMORY_CAST(made);
}
static void fake_free(GstAllocator*, GstMemory* memory) {
  for (const auto& [token, attached] : *fake(memory)->attached) attached.notify(attached.data);
  delete fake(memory)->attached;
  munmap(fake(memory)->data, memory->maxsize);
  close(fake(memory)->descriptor);
  g_free(memory);
}
static void fake_allocator_class_init(FakeAllocatorClass* klass) {
  GST_ALLOCATOR_CLASS(klass)->alloc = fake_alloc;
  GST_ALLOCATOR_CLASS(klass)->free = fake_free;
}
static gpointer fake_map(GstMemory* memory, gsize, GstMapFlags) { return fake(memory)->data; }
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
EXPORTED GstMemory* fake_cuda_memory(const void* bytes, gsize size, gboolean exportable) {
  static auto* const allocator = GST_ALLOCATOR(g_object_new(fake_allocator_get_type(), nullptr));
  GstMemory* const made = gst_allocator_alloc(allocator, size, nullptr);
  std::memcpy(fake(made)->data, bytes, size);
  fake(made)->is_exportable = exportable;
  return made;
}
EXPORTED int fake_cuda_exports() { return exports; }
EXPORTED int fake_cuda_syncs() { return syncs; }

EXPORTED gint gst_cuda_memory_get_alloc_method(GstMemory* memory) {
  return fake(memory)->is_exportable ? 2 : 1;
}
EXPORTED gboolean gst_cuda_memory_export(GstMemory* memory, gpointer descriptor) {
  ++exports;
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
  GstBufferPool* const pool = gst_video_buffer_pool_new();
  g_object_set_data(G_OBJECT(pool), "context", context);
  return pool;
}
EXPORTED void gst_buffer_pool_config_set_cuda_alloc_method(GstStructure* config, gint method) {
  gst_structure_set(config, "alloc-method", G_TYPE_INT, method, nullptr);
}
