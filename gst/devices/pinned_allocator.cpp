// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/pinned_allocator.h"

#include <gst/video/gstvideopool.h>
#include <gst/video/video.h>

#include <memory>
#include <utility>

#include "compute/pinned_memory.h"
#include "devices/cuda_library.h"
#include "devices/device_context.h"
#include "devices/dma_buf.h"
#include "devices/exportable_pool.h"
#include "scoped.h"

namespace {

struct PinnedGstMemory {
  GstMemory parent;               // first, as GStreamer expects
  guint8* data;                   // of the whole allocation
  cltrack::PinnedMemory* pinned;  // owned; null for a part of another memory, which it refers to
};

PinnedGstMemory* pinned_of(GstMemory* memory) { return reinterpret_cast<PinnedGstMemory*>(memory); }

}  // namespace

G_BEGIN_DECLS
#define GST_TYPE_PINNED_ALLOCATOR (gst_pinned_allocator_get_type())
G_DECLARE_FINAL_TYPE(GstPinnedAllocator, gst_pinned_allocator, GST, PINNED_ALLOCATOR, GstAllocator)
G_END_DECLS

struct _GstPinnedAllocator {
  GstAllocator parent;
  cltrack::DeviceInfo* device;
};

G_DEFINE_TYPE(GstPinnedAllocator, gst_pinned_allocator, GST_TYPE_ALLOCATOR)

static GstMemory* gst_pinned_allocator_alloc(GstAllocator* allocator, gsize size,
                                             GstAllocationParams* params) {
  const gsize whole = size + params->prefix + params->padding;
  // If the driver's alignment is too small, ordinary memory is used.
  if (params->align <= 4095 && whole > 0) {
    try {
      auto pinned = cltrack::PinnedMemory::make(*GST_PINNED_ALLOCATOR(allocator)->device, whole);
      if (pinned != nullptr && (reinterpret_cast<guintptr>(pinned->data()) & params->align) == 0) {
        auto* memory = g_new0(PinnedGstMemory, 1);
        gst_memory_init(GST_MEMORY_CAST(memory), params->flags, allocator, nullptr, whole,
                        params->align, params->prefix, size);
        memory->data = static_cast<guint8*>(pinned->data());
        memory->pinned = pinned.release();
        return GST_MEMORY_CAST(memory);
      }
    } catch (...) {
      // Errors of the device are reported where it is used.
    }
  }
  return gst_allocator_alloc(nullptr, size, params);
}

static void gst_pinned_allocator_free(GstAllocator* /*allocator*/, GstMemory* memory) {
  delete pinned_of(memory)->pinned;
  g_free(memory);
}

static gpointer gst_pinned_allocator_map(GstMemory* memory, gsize /*size*/, GstMapFlags /*flags*/) {
  return pinned_of(memory)->data;
}

static void gst_pinned_allocator_unmap(GstMemory* /*memory*/) {}

static GstMemory* gst_pinned_allocator_share(GstMemory* memory, gssize offset, gssize size) {
  GstMemory* whole = memory->parent != nullptr ? memory->parent : memory;
  if (size == -1) size = static_cast<gssize>(memory->size) - offset;
  auto* part = g_new0(PinnedGstMemory, 1);
  gst_memory_init(GST_MEMORY_CAST(part),
                  static_cast<GstMemoryFlags>(GST_MINI_OBJECT_FLAGS(whole) |
                                              GST_MINI_OBJECT_FLAG_LOCK_READONLY),
                  memory->allocator, whole, memory->maxsize, memory->align,
                  memory->offset + static_cast<gsize>(offset), static_cast<gsize>(size));
  part->data = pinned_of(memory)->data;
  return GST_MEMORY_CAST(part);
}

static void gst_pinned_allocator_finalize(GObject* object) {
  delete GST_PINNED_ALLOCATOR(object)->device;
  G_OBJECT_CLASS(gst_pinned_allocator_parent_class)->finalize(object);
}

static void gst_pinned_allocator_class_init(GstPinnedAllocatorClass* klass) {
  G_OBJECT_CLASS(klass)->finalize = gst_pinned_allocator_finalize;
  GstAllocatorClass* allocator_class = GST_ALLOCATOR_CLASS(klass);
  allocator_class->alloc = gst_pinned_allocator_alloc;
  allocator_class->free = gst_pinned_allocator_free;
}

static void gst_pinned_allocator_init(GstPinnedAllocator* self) {
  GstAllocator* allocator = GST_ALLOCATOR(self);
  allocator->mem_type = "cltrack-pinned";
  allocator->mem_map = gst_pinned_allocator_map;
  allocator->mem_unmap = gst_pinned_allocator_unmap;
  allocator->mem_share = gst_pinned_allocator_share;
}

namespace cltrack::gst {

namespace {

// The caller owns it; its memory holds it, and the device open, for as long as that is used.
GstAllocator* make_pinned_allocator(const DeviceInfo& device) {
  auto* self = static_cast<GstPinnedAllocator*>(g_object_new(GST_TYPE_PINNED_ALLOCATOR, nullptr));
  gst_object_ref_sink(self);
  self->device = new DeviceInfo(device);
  return GST_ALLOCATOR(self);
}

// Whether it gives what everybody has: another one in its place takes nothing from anybody.
bool is_ordinary(GstAllocator* allocator) {
  return allocator == nullptr || g_strcmp0(allocator->mem_type, GST_ALLOCATOR_SYSMEM) == 0;
}

// The same of a pool, which is then filled by the allocator that it is told. Converters and
// encoders offer such ones.
bool is_ordinary(GstBufferPool* pool) {
  if (pool == nullptr) return true;
  const GType type = G_OBJECT_TYPE(pool);
  if (type != GST_TYPE_BUFFER_POOL && type != GST_TYPE_VIDEO_BUFFER_POOL) return false;
  GstAllocator* allocator = nullptr;
  const Scoped<GstStructure, gst_structure_free> config(gst_buffer_pool_get_config(pool));
  gst_buffer_pool_config_get_allocator(config.get(), &allocator, nullptr);
  return is_ordinary(allocator);
}

bool has_ordinary_pools(GstQuery* query) {
  for (guint i = 0; i < gst_query_get_n_allocation_pools(query); ++i) {
    GstBufferPool* pool = nullptr;
    gst_query_parse_nth_allocation_pool(query, i, &pool, nullptr, nullptr, nullptr);
    const Scoped<GstBufferPool, gst_object_unref> owned(pool);
    if (!is_ordinary(pool)) return false;
  }
  return true;
}

}  // namespace

bool offer_pinned_memory(GstQuery* query, const DeviceInfo& device) {
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return false;
  if (!has_ordinary_pools(query)) return false;
  GstAllocationParams params;
  gst_allocation_params_init(&params);
  const bool has_params = gst_query_get_n_allocation_params(query) > 0;
  if (has_params) {
    GstAllocator* other = nullptr;
    gst_query_parse_nth_allocation_param(query, 0, &other, &params);
    const Scoped<GstAllocator, gst_object_unref> owned(other);
    if (!is_ordinary(other)) return false;
  }
  const Scoped<GstAllocator, gst_object_unref> allocator(make_pinned_allocator(device));
  if (has_params) {
    gst_query_set_nth_allocation_param(query, 0, allocator.get(), &params);
  } else {
    gst_query_add_allocation_param(query, allocator.get(), &params);
  }
  if (gst_query_get_n_allocation_pools(query) > 0) return true;
  const auto size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  const Scoped<GstBufferPool, gst_object_unref> pool(gst_video_buffer_pool_new());
  GstStructure* config = gst_buffer_pool_get_config(pool.get());
  gst_buffer_pool_config_set_params(config, caps, size, 0, 0);
  gst_buffer_pool_config_set_allocator(config, allocator.get(), &params);
  if (gst_buffer_pool_set_config(pool.get(), config)) {
    gst_query_add_allocation_pool(query, pool.get(), size, 0, 0);
  }
  return true;
}

gboolean propose_allocation(GstBaseTransform* element, const TrackerDevices* devices,
                            const std::optional<DeviceInfo>& later_device, GstQuery* query) {
  const gboolean answered = gst_pad_peer_query(GST_BASE_TRANSFORM_SRC_PAD(element), query);
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  if (is_dma_buf(caps)) {
    promise_video_meta(query);
    return TRUE;
  }
  bool offered = false;
  if (devices != nullptr) {
    offered = is_cuda(caps) ? offer_exportable_memory(element, *devices, query)
                            : offer_pinned_memory(query, devices->stages()) ||
                                  (later_device && offer_pinned_memory(query, *later_device));
  }
  return offered || answered;
}

gboolean decide_allocation(GstBaseTransform* /*element*/, GstQuery* query) {
  while (gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_remove_nth_allocation_pool(query, 0);
  }
  return TRUE;
}

}  // namespace cltrack::gst
