// SPDX-License-Identifier: LGPL-2.1-or-later
#include "devices/dma_buf.h"

#include <gst/allocators/gstdmabuf.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "cltrack/error.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

// The names that Linux has for them. Without a modifier behind it a picture is linear.
struct LinearFormat {
  std::string_view drm;
  GstVideoFormat format;
};
constexpr LinearFormat kLinearFormats[] = {
    {"NV12", GST_VIDEO_FORMAT_NV12}, {"YU12", GST_VIDEO_FORMAT_I420},
    {"YV12", GST_VIDEO_FORMAT_YV12}, {"NV21", GST_VIDEO_FORMAT_NV21},
    {"NV16", GST_VIDEO_FORMAT_NV16}, {"YU16", GST_VIDEO_FORMAT_Y42B},
};

// One for each device. The memory keeps them.
using Imports = std::map<std::string, std::shared_ptr<DeviceMemory>>;

GQuark imports_quark() {
  static const GQuark quark = g_quark_from_static_string("cltrack-dma-buf-imports");
  return quark;
}

// Waits until nobody writes any more: OpenCL acquires what is given to it (cl_khr_external_memory)
// and does not look at the fences that a DMA-BUF has for what is still to be written. A kernel's
// fences are done in the end; a second is more than any picture takes.
void wait_for_writers(int descriptor) {
  constexpr int kLongest = 1000;  // ms
  pollfd waited{.fd = descriptor, .events = POLLIN, .revents = 0};
  int ready = 0;
  do {
    ready = poll(&waited, 1, kLongest);
  } while (ready < 0 && errno == EINTR);
  if ((waited.revents & POLLIN) != 0) return;
  throw Error(ErrorCode::failed,
              "DMA-BUF " + std::to_string(descriptor) + " is still written to: " +
                  (ready < 0 ? std::strerror(errno) : "its fences were not done after 1 s"));
}

}  // namespace

bool is_dma_buf(const GstCaps* caps) {
  return caps != nullptr && gst_caps_get_size(caps) > 0 &&
         gst_caps_features_contains(gst_caps_get_features(caps, 0), GST_CAPS_FEATURE_MEMORY_DMABUF);
}

bool is_dma_buf(GstMemory* memory) { return gst_is_dmabuf_memory(memory) != FALSE; }

GstCaps* with_dma_bufs(GstCaps* caps) {
  GValue names = G_VALUE_INIT;
  g_value_init(&names, GST_TYPE_LIST);
  for (const LinearFormat& linear : kLinearFormats) {
    GValue name = G_VALUE_INIT;
    g_value_init(&name, G_TYPE_STRING);
    g_value_set_static_string(&name, linear.drm.data());
    gst_value_list_append_and_take_value(&names, &name);
  }
  GstStructure* structure = gst_structure_copy(gst_caps_get_structure(caps, 0));
  gst_structure_set(structure, "format", G_TYPE_STRING, "DMA_DRM", nullptr);
  gst_structure_take_value(structure, "drm-format", &names);
  gst_caps_append_structure_full(caps, structure,
                                 gst_caps_features_new(GST_CAPS_FEATURE_MEMORY_DMABUF, nullptr));
  return caps;
}

bool read_video_info(GstVideoInfo& info, const GstCaps* caps) {
  if (!is_dma_buf(caps)) return gst_video_info_from_caps(&info, caps);
  const char* drm = gst_structure_get_string(gst_caps_get_structure(caps, 0), "drm-format");
  const auto* const linear =
      std::ranges::find(kLinearFormats, std::string_view(drm ? drm : ""), &LinearFormat::drm);
  if (linear == std::end(kLinearFormats)) return false;
  const Scoped<GstCaps, gst_caps_unref> raw(gst_caps_copy(caps));
  gst_caps_set_simple(raw.get(), "format", G_TYPE_STRING,
                      gst_video_format_to_string(linear->format), nullptr);
  return gst_video_info_from_caps(&info, raw.get());
}

bool wants_dma_bufs(const TrackerDevices& devices) {
  return std::ranges::any_of(devices.stages(), [](const PlacedStage& placed) {
    return placed.device.imports_dma_buf && !placed.automatic;
  });
}

void leave_out_dma_bufs(GstQuery* query) {
  GstCaps* answer = nullptr;
  gst_query_parse_caps_result(query, &answer);
  const Scoped<GstCaps, gst_caps_unref> others(gst_caps_copy(answer));
  gst_caps_filter_and_map_in_place(
      others.get(),
      +[](GstCapsFeatures* features, GstStructure*, gpointer) -> gboolean {
        return !gst_caps_features_contains(features, GST_CAPS_FEATURE_MEMORY_DMABUF);
      },
      nullptr);
  if (!gst_caps_is_empty(others.get())) gst_query_set_caps_result(query, others.get());
}

std::optional<DeviceInfo> dma_buf_device(const TrackerDevices& devices) {
  for (PlacedStage& placed : devices.stages()) {
    if (placed.device.imports_dma_buf) return std::move(placed.device);
  }
  return std::nullopt;
}

GstMemory* dma_buf_of(GstBuffer* buffer) {
  GstMemory* whole = nullptr;
  for (guint i = 0; i < gst_buffer_n_memory(buffer); ++i) {
    GstMemory* const memory = gst_buffer_peek_memory(buffer, i);
    if (!is_dma_buf(memory)) return nullptr;
    if (whole == nullptr) whole = memory->parent != nullptr ? memory->parent : memory;
    if (gst_dmabuf_memory_get_fd(memory) != gst_dmabuf_memory_get_fd(whole)) return nullptr;
  }
  return whole;
}

std::shared_ptr<DeviceMemory> import_dma_buf(GstMemory* memory, const DeviceInfo& device) {
  const int descriptor = gst_dmabuf_memory_get_fd(memory);
  wait_for_writers(descriptor);
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  GstMiniObject* const object = GST_MINI_OBJECT_CAST(memory);
  auto* imports = static_cast<Imports*>(gst_mini_object_get_qdata(object, imports_quark()));
  if (imports != nullptr) {
    const auto known = imports->find(device.spec);
    if (known != imports->end() && !known->second->has_failed()) return known->second;
  }
  // All of it: parts of a picture may be in other memories of the same DMA-BUF.
  const off_t bytes = lseek(descriptor, 0, SEEK_END);
  std::shared_ptr<DeviceMemory> made =
      import_memory(device, DescriptorKind::dma_buf, descriptor,
                    static_cast<std::size_t>(std::max<off_t>(bytes, 0)));
  if (imports == nullptr) {
    imports = new Imports;
    gst_mini_object_set_qdata(object, imports_quark(), imports,
                              [](gpointer kept) { delete static_cast<Imports*>(kept); });
  }
  (*imports)[device.spec] = made;
  return made;
}

bool is_imported(GstMemory* memory) {
  return gst_mini_object_get_qdata(GST_MINI_OBJECT_CAST(memory), imports_quark()) != nullptr;
}

}  // namespace cltrack::gst
