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
#include <utility>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

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

bool is_dma_buf(GstMemory* memory) { return gst_is_dmabuf_memory(memory) != FALSE; }

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
