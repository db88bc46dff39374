// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/lent_buffer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cltrack/error.h"
#include "compute/pinned_memory.h"
#include "devices/cuda_library.h"
#include "devices/dma_buf.h"
#include "devices/exportable_pool.h"
#include "pictures/frame_layout.h"
#include "pictures/luma.h"

namespace cltrack::gst {
namespace {

using Import = std::shared_ptr<DeviceMemory>;

void drop_import(gpointer import) { delete static_cast<Import*>(import); }

// One for each device, as whoever has the memory keeps what a device has imported. Threading: one
// thread at a time.
gint64 token_of(const CudaLibrary& cuda, const std::string& device) {
  static auto& tokens = *new std::map<std::string, gint64>;
  const auto known = tokens.find(device);
  return known != tokens.end() ? known->second : tokens[device] = cuda.create_token();
}

// What has been written to the memory is there when this returns. Where the host has mapped it to
// write (`draw-rect`, a probe that masks), that is elsewhere until it is mapped on the device.
void finish_writes(const CudaLibrary& cuda, GstMemory* memory) {
  constexpr int kRead = int{GST_MAP_READ} | CudaLibrary::kMapOnDevice;
  GstMapInfo map;
  if (gst_memory_map(memory, &map, static_cast<GstMapFlags>(kRead)) == FALSE) {
    throw Error(ErrorCode::failed, "CUDA does not map a picture's memory");
  }
  gst_memory_unmap(memory, &map);
  cuda.sync(memory);
}

// Where a component is in the memory that all memory of a buffer is a part of. Nothing if some of
// it is not in the buffer, or its rows overlap.
std::optional<DeviceComponent> place_of(GstBuffer* buffer, const GstVideoInfo& info, unsigned c) {
  const GstVideoFormatInfo* const format = info.finfo;
  const auto plane = static_cast<unsigned>(GST_VIDEO_FORMAT_INFO_PLANE(format, c));
  const GstVideoMeta* const meta = gst_buffer_get_video_meta(buffer);
  const gsize offset = meta != nullptr ? meta->offset[plane] : info.offset[plane];
  const gint stride = meta != nullptr ? meta->stride[plane] : info.stride[plane];
  const PlaneExtent extent = plane_extent(info, plane);
  guint index = 0, count = 0;
  gsize skipped = 0;
  if (stride < extent.row_bytes ||
      !gst_buffer_find_memory(buffer, offset,
                              static_cast<gsize>((extent.rows - 1) * stride + extent.row_bytes),
                              &index, &count, &skipped) ||
      count != 1) {
    return std::nullopt;
  }
  return DeviceComponent{.offset = gst_buffer_peek_memory(buffer, index)->offset + skipped +
                                   static_cast<gsize>(GST_VIDEO_FORMAT_INFO_POFFSET(format, c)),
                         .stride = stride,
                         .step = GST_VIDEO_FORMAT_INFO_PSTRIDE(format, c),
                         .shift_x = static_cast<int>(GST_VIDEO_FORMAT_INFO_W_SUB(format, c)),
                         .shift_y = static_cast<int>(GST_VIDEO_FORMAT_INFO_H_SUB(format, c))};
}

}  // namespace

BufferLender::Loan::~Loan() {
  if (picture_.empty()) return;
  try {
    picture_.memory->release();
  } catch (const Error&) {
    // It has only been read: nobody misses anything.
  }
}

bool BufferLender::is_elsewhere(GstBuffer* buffer) {
  if (gst_buffer_n_memory(buffer) == 0) return false;
  GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
  return is_cuda(memory) || is_dma_buf(memory);
}

const void* BufferLender::identity(GstBuffer* buffer) {
  if (gst_buffer_n_memory(buffer) == 0) return nullptr;
  GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
  if (is_cuda(memory)) return memory;
  GstMemory* const dma_buf = dma_buf_of(buffer);
  return dma_buf != nullptr && is_imported(dma_buf) ? dma_buf : nullptr;
}

// Whether a device of the tracker imports memory of this one's context; the reason in obstacle_ if
// none does.
bool BufferLender::can_import(GstMemory* memory, const TrackerDevices& devices) {
  if (CudaLibrary::find(obstacle_) == nullptr) return false;
  GstObject* const context = gst::context_of(memory);
  if (context != context_) {
    obstacle_.clear();
    device_ = importing_device(devices, uuid_of(context), obstacle_);
    context_ = context;
  }
  return device_.has_value();
}

// Throws what import_memory() throws.
std::shared_ptr<DeviceMemory> BufferLender::imported(GstMemory* memory) {
  // Of elements behind a `tee`, one must not replace what another one is about to take.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const CudaLibrary* const cuda = CudaLibrary::find(obstacle_);
  const gint64 token = token_of(*cuda, device_->spec);
  if (const auto* known = static_cast<Import*>(cuda->get_token_data(memory, token))) {
    if (!(*known)->has_failed()) return *known;
  }
  int descriptor = -1;
  if (cuda->export_memory(memory, &descriptor) == FALSE) {
    throw Error(ErrorCode::failed, "GStreamer's CUDA library does not export the memory");
  }
  // The descriptor stays that of the memory.
  Import made = import_memory(*device_, DescriptorKind::opaque, descriptor, memory->maxsize);
  cuda->set_token_data(memory, token, new Import(made), drop_import);
  return made;
}

// The same; null, with the reason in obstacle_, if it cannot be lent.
std::shared_ptr<DeviceMemory> BufferLender::dma_buf_memory(GstBuffer* buffer,
                                                           const TrackerDevices& devices) {
  GstMemory* const memory = dma_buf_of(buffer);
  const std::optional<DeviceInfo> device = dma_buf_device(devices);
  if (memory == nullptr) {
    obstacle_ = "its memory is not in one DMA-BUF";
  } else if (!device) {
    obstacle_ = "no stage runs on a device whose driver has cl_khr_external_memory_dma_buf";
  } else {
    return import_dma_buf(memory, *device);
  }
  return nullptr;
}

BufferLender::Loan BufferLender::lend(GstBuffer* buffer, const GstVideoInfo& info,
                                      const TrackerDevices* devices, bool by_color,
                                      std::vector<std::string>& warnings) {
  if (!is_elsewhere(buffer)) return {};
  const auto map = [&](const std::string& reason) {
    ++routes_.mapped;
    routes_.reason = reason;
    return Loan();
  };
  constexpr const char* kLayout = "its layout is not one that can be lent";
  if (has_failed_) return map(routes_.reason);
  GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
  const bool cuda = is_cuda(memory);
  if (devices == nullptr || (cuda && gst_buffer_n_memory(buffer) != 1) ||
      GST_VIDEO_INFO_IS_RGB(&info) ||
      (!by_color && GST_VIDEO_FORMAT_INFO_PSTRIDE(info.finfo, 0) != 1)) {
    return map(kLayout);
  }
  if (const std::string problem = meta_problem(buffer, info); !problem.empty()) {
    return map(problem);
  }
  try {
    std::shared_ptr<GstBuffer> copy;
    if (cuda) {
      if (!can_import(memory, *devices)) return map(obstacle_);
      if (CudaLibrary::find(obstacle_)->get_alloc_method(memory) != CudaLibrary::kExportable) {
        copy = copies_.copy(buffer, info);
        buffer = copy.get();
        memory = gst_buffer_peek_memory(buffer, 0);
      }
    }
    DevicePicture picture;
    picture.width = GST_VIDEO_INFO_WIDTH(&info);
    picture.height = GST_VIDEO_INFO_HEIGHT(&info);
    if (has_color(info.finfo)) {
      picture.space = ColorSpace::yuv;
      picture.encoding = encoding_of(info);
    }
    for (unsigned c = 0; c < (picture.space == ColorSpace::yuv ? 3 : 1); ++c) {
      const auto place = place_of(buffer, info, component_of(info.finfo, c));
      if (!place) return map(kLayout);
      picture.components[c] = *place;
    }
    picture.memory = cuda ? imported(memory) : dma_buf_memory(buffer, *devices);
    if (picture.memory == nullptr) return map(obstacle_);
    if (cuda) finish_writes(*CudaLibrary::find(obstacle_), memory);
    picture.memory->acquire();
    ++(copy != nullptr ? routes_.copied : routes_.lent);
    if (copy != nullptr) routes_.copied_because = "the memory of upstream cannot be exported";
    return Loan(std::move(picture), std::move(copy));
  } catch (const Error& error) {
    has_failed_ = true;
    close();
    warnings.push_back(std::string("pictures come through the host from here on: ") + error.what());
    return map(error.what());
  }
}

void BufferLender::count_mapped(GstBuffer* buffer, const void* data, const TrackerDevices* devices,
                                const char* reason) {
  if (is_elsewhere(buffer)) {
    ++routes_.mapped;
    routes_.reason = reason;
    return;
  }
  if (devices == nullptr) return;
  const std::vector<PlacedStage> stages = devices->stages();
  const auto copying = std::ranges::find_if(
      stages, [](const PlacedStage& placed) { return PinnedMemory::is_useful_for(placed.device); });
  if (copying == stages.end()) return;
  const bool is_pinned = PinnedMemory::holds(data);
  ++(is_pinned ? routes_.pinned : routes_.staged);
  if (!is_pinned && copying->automatic) later_device_ = copying->device;
}

void BufferLender::reset() {
  routes_ = {};
  has_failed_ = false;
  context_ = nullptr;
  device_.reset();
  obstacle_.clear();
  close();
}

void BufferLender::close() { copies_.clear(); }

}  // namespace cltrack::gst
