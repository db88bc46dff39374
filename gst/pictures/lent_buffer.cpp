// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/lent_buffer.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "cltrack/error.h"
#include "compute/pinned_memory.h"
#include "devices/cuda_library.h"
#include "devices/exportable_pool.h"
#include "pictures/frame_layout.h"
#include "pictures/luma.h"

namespace cltrack::gst {
namespace {

using Import = std::shared_ptr<DeviceMemory>;

void drop_import(gpointer import) { delete static_cast<Import*>(import); }

// One for each device, as whoever has the memory keeps what a device has imported.
gint64 token_of(const CudaLibrary& cuda, const std::string& device) {
  static std::mutex mutex;
  static auto& tokens = *new std::map<std::string, gint64>;
  const std::lock_guard lock(mutex);
  const auto known = tokens.find(device);
  return known != tokens.end() ? known->second : tokens[device] = cuda.create_token();
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

const void* BufferLender::identity(GstBuffer* buffer) {
  if (gst_buffer_n_memory(buffer) == 0) return nullptr;
  GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
  return is_cuda(memory) ? memory : nullptr;
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

BufferLender::Loan BufferLender::lend(GstBuffer* buffer, const GstVideoInfo& info,
                                      const TrackerDevices* devices,
                                      std::vector<std::string>& warnings) {
  if (identity(buffer) == nullptr) return {};
  const auto map = [&](const std::string& reason) {
    ++routes_.mapped;
    routes_.reason = reason;
    return Loan();
  };
  if (has_failed_) return map(routes_.reason);
  if (devices == nullptr || gst_buffer_n_memory(buffer) != 1 || !has_color(info.finfo) ||
      GST_VIDEO_INFO_IS_RGB(&info)) {
    return map("its layout is not one that can be lent");
  }
  if (const std::string problem = meta_problem(buffer, info); !problem.empty()) {
    return map(problem);
  }
  try {
    GstMemory* memory = gst_buffer_peek_memory(buffer, 0);
    if (!can_import(memory, *devices)) return map(obstacle_);
    const CudaLibrary& cuda = *CudaLibrary::find(obstacle_);
    std::shared_ptr<GstBuffer> copy;
    if (cuda.get_alloc_method(memory) != CudaLibrary::kExportable) {
      copy = copies_.copy(buffer, info);
      buffer = copy.get();
      memory = gst_buffer_peek_memory(buffer, 0);
    }
    DevicePicture picture{.memory = imported(memory)};
    const GstVideoMeta* const meta = gst_buffer_get_video_meta(buffer);
    picture.space = ColorSpace::yuv;
    picture.encoding = encoding_of(info);
    picture.width = GST_VIDEO_INFO_WIDTH(&info);
    picture.height = GST_VIDEO_INFO_HEIGHT(&info);
    for (unsigned c = 0; c < 3; ++c) {
      const auto plane = static_cast<unsigned>(GST_VIDEO_FORMAT_INFO_PLANE(info.finfo, c));
      const gsize offset = meta != nullptr ? meta->offset[plane] : info.offset[plane];
      picture.components[c] = {
          .offset = memory->offset + offset +
                    static_cast<gsize>(GST_VIDEO_FORMAT_INFO_POFFSET(info.finfo, c)),
          .stride = meta != nullptr ? meta->stride[plane] : info.stride[plane],
          .step = GST_VIDEO_FORMAT_INFO_PSTRIDE(info.finfo, c),
          .shift_x = static_cast<int>(GST_VIDEO_FORMAT_INFO_W_SUB(info.finfo, c)),
          .shift_y = static_cast<int>(GST_VIDEO_FORMAT_INFO_H_SUB(info.finfo, c))};
    }
    // What CUDA still does to the picture.
    cuda.sync(memory);
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
  if (identity(buffer) != nullptr) {
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
