// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/exportable_pool.h"

#include <algorithm>
#include <vector>

#include "devices/cuda_library.h"
#include "scoped.h"

GST_DEBUG_CATEGORY_EXTERN(gst_cl_tracker_base_debug);
#define GST_CAT_DEFAULT gst_cl_tracker_base_debug

namespace cltrack::gst {
namespace {

constexpr const char* kCudaContext = "gst.cuda.context";

// That of the elements upstream, which will write the pictures; null if they have none.
std::shared_ptr<GstObject> context_upstream(GstBaseTransform* element) {
  const Scoped<GstQuery, gst_query_unref> query(gst_query_new_context(kCudaContext));
  if (!gst_pad_peer_query(GST_BASE_TRANSFORM_SINK_PAD(element), query.get())) return nullptr;
  GstContext* context = nullptr;
  gst_query_parse_context(query.get(), &context);
  if (context == nullptr) return nullptr;
  const GValue* value = gst_structure_get_value(gst_context_get_structure(context), kCudaContext);
  if (value == nullptr || !G_VALUE_HOLDS_OBJECT(value)) return nullptr;
  return shared<gst_object_unref>(GST_OBJECT(g_value_dup_object(value)));
}

struct OfferedPool {
  GstBufferPool* pool;  // owned; may be null
  guint size, min, max;
};

}  // namespace

std::optional<DeviceInfo> importing_device(const TrackerDevices& devices, const std::string& uuid,
                                           std::string& reason) {
  const std::vector<PlacedStage> stages = devices.stages();
  std::vector<DeviceInfo> allowed;
  for (const PlacedStage& placed : stages) allowed.push_back(placed.device);
  if (std::ranges::any_of(stages, &PlacedStage::automatic)) {
    for (DeviceInfo& device : list_devices()) allowed.push_back(std::move(device));
  }
  const auto found = std::ranges::find_if(
      allowed, [&](const DeviceInfo& device) { return !uuid.empty() && device.uuid == uuid; });
  if (found == allowed.end()) {
    reason = "no stage runs on the OpenCL device that has the decoder's memory (UUID " +
             (uuid.empty() ? std::string("unknown") : uuid) + ")";
    return std::nullopt;
  }
  if (!found->imports_opaque) {
    reason = "the driver of " + found->spec + " (" + found->name +
             ") lacks cl_khr_external_memory_opaque_fd";
    return std::nullopt;
  }
  return *found;
}

GstBufferPool* new_exportable_pool(GstObject* context, GstCaps* caps, guint size, guint min) {
  std::string reason;
  const CudaLibrary* const cuda = CudaLibrary::find(reason);
  if (cuda == nullptr) return nullptr;
  Scoped<GstBufferPool, gst_object_unref> pool(cuda->new_pool(context));
  GstStructure* config = gst_buffer_pool_get_config(pool.get());
  // Decoders that get a limit, and somebody behind who holds pictures, would wait for ever.
  gst_buffer_pool_config_set_params(config, caps, size, min, 0);
  gst_buffer_pool_config_add_option(config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  cuda->set_alloc_method(config, CudaLibrary::kExportable);
  return gst_buffer_pool_set_config(pool.get(), config) != FALSE ? pool.release() : nullptr;
}

void promise_video_meta(GstQuery* query) {
  if (gst_query_find_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr) == FALSE) {
    gst_query_add_allocation_meta(query, GST_VIDEO_META_API_TYPE, nullptr);
  }
}

bool offer_exportable_memory(GstBaseTransform* element, const TrackerDevices& devices,
                             GstQuery* query) {
  std::string reason;
  const CudaLibrary* const cuda = CudaLibrary::find(reason);
  const std::shared_ptr<GstObject> context = cuda != nullptr ? context_upstream(element) : nullptr;
  if (context != nullptr && importing_device(devices, uuid_of(context.get()), reason)) {
    reason.clear();
  } else if (reason.empty()) {
    reason = "no element upstream has a CUDA context";
  }
  if (!reason.empty()) {
    GST_INFO_OBJECT(element, "no exportable memory is asked for: %s", reason.c_str());
    return false;
  }
  GstCaps* caps = nullptr;
  gst_query_parse_allocation(query, &caps, nullptr);
  GstVideoInfo info;
  if (caps == nullptr || !gst_video_info_from_caps(&info, caps)) return false;
  std::vector<OfferedPool> others;
  for (guint i = 0; i < gst_query_get_n_allocation_pools(query); ++i) {
    OfferedPool other{};
    gst_query_parse_nth_allocation_pool(query, i, &other.pool, &other.size, &other.min, &other.max);
    others.push_back(other);
  }
  const guint size = static_cast<guint>(GST_VIDEO_INFO_SIZE(&info));
  const guint min = others.empty() ? 0 : others.front().min;
  const Scoped<GstBufferPool, gst_object_unref> pool(
      new_exportable_pool(context.get(), caps, size, min));
  const bool offered = pool != nullptr;
  if (offered) {
    while (gst_query_get_n_allocation_pools(query) > 0) {
      gst_query_remove_nth_allocation_pool(query, 0);
    }
    gst_query_add_allocation_pool(query, pool.get(), size, min, 0);
    promise_video_meta(query);
  }
  for (const OfferedPool& other : others) {
    if (offered) {
      gst_query_add_allocation_pool(query, other.pool, other.size, other.min, other.max);
    }
    if (other.pool != nullptr) gst_object_unref(other.pool);
  }
  GST_INFO_OBJECT(element, "exportable memory is %s",
                  offered ? "asked for" : "refused by its pool");
  return offered;
}

}  // namespace cltrack::gst
