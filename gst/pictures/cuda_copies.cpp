// SPDX-License-Identifier: LGPL-2.1-or-later
#include "pictures/cuda_copies.h"

#include <algorithm>
#include <string>
#include <utility>

#include "cltrack/error.h"
#include "devices/cuda_library.h"
#include "devices/exportable_pool.h"
#include "pictures/frame_layout.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorCode::failed, "a picture cannot be copied within the GPU: " + why);
}

void require(int code, const char* function) {
  if (code != 0) fail(std::string(function) + " says " + std::to_string(code));
}

// What a thread calls of CUDA's is for a context while there is one of these.
class CurrentContext {
 public:
  CurrentContext(const CudaLibrary& cuda, GstObject* context) : cuda_(cuda) {
    if (cuda.push_context(context) == FALSE) fail("gst_cuda_context_push() has failed");
  }
  ~CurrentContext() { cuda_.pop_context(nullptr); }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

 private:
  const CudaLibrary& cuda_;
};

// Where the planes of a picture are in the device's address space.
//
// Not by gst_video_frame_map(), which gives a copy elsewhere if the memory itself cannot be mapped.
class DevicePlanes {
 public:
  DevicePlanes(GstBuffer* buffer, const GstVideoInfo& info, GstMapFlags access)
      : memory_(gst_buffer_peek_memory(buffer, 0)) {
    const int flags = int{access} | CudaLibrary::kMapOnDevice;
    GstMapInfo& map = frame_.map[0];
    if (!gst_memory_map(memory_, &map, static_cast<GstMapFlags>(flags))) {
      fail("its memory cannot be mapped there");
    }
    const GstVideoMeta* const meta = gst_buffer_get_video_meta(buffer);
    frame_.info = info;
    for (unsigned plane = 0; plane < GST_VIDEO_INFO_N_PLANES(&info); ++plane) {
      if (meta != nullptr) {
        frame_.info.offset[plane] = meta->offset[plane];
        frame_.info.stride[plane] = meta->stride[plane];
      }
      frame_.data[plane] = map.data + frame_.info.offset[plane];
    }
    std::string problem = layout_problem(frame_);
    if (problem.empty() && std::ranges::any_of(frame_.info.stride, [](int s) { return s < 0; })) {
      problem = "its rows are upside down";
    }
    if (problem.empty()) return;
    gst_memory_unmap(memory_, &map);
    fail(problem);
  }
  ~DevicePlanes() { gst_memory_unmap(memory_, &frame_.map[0]); }
  DevicePlanes(const DevicePlanes&) = delete;
  DevicePlanes& operator=(const DevicePlanes&) = delete;

  CudaPlaneCopy::Side side(unsigned plane) const {
    CudaPlaneCopy::Side side;
    side.device = frame_.data[plane];
    side.stride = static_cast<std::size_t>(frame_.info.stride[plane]);
    return side;
  }

 private:
  GstMemory* const memory_;
  GstVideoFrame frame_{};
};

}  // namespace

void CudaCopies::make_pool(GstObject* context, const GstVideoInfo& info) {
  clear();
  const Scoped<GstCaps, gst_caps_unref> caps(gst_video_info_to_caps(&info));
  gst_caps_set_features_simple(caps.get(), gst_caps_features_new(kCudaFeature, nullptr));
  pool_ =
      new_exportable_pool(context, caps.get(), static_cast<guint>(GST_VIDEO_INFO_SIZE(&info)), 0);
  if (pool_ == nullptr || gst_buffer_pool_set_active(pool_, TRUE) == FALSE) {
    clear();
    fail("CUDA has no memory that can be exported");
  }
  context_ = context;
  info_ = info;
}

std::shared_ptr<GstBuffer> CudaCopies::copy(GstBuffer* buffer, const GstVideoInfo& info) {
  std::string reason;
  const CudaLibrary* const cuda = CudaLibrary::find(reason);
  if (cuda == nullptr) fail(reason);
  GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
  GstObject* const context = context_of(memory);
  if (pool_ == nullptr || context != context_ || !gst_video_info_is_equal(&info, &info_)) {
    make_pool(context, info);
  }
  GstBuffer* acquired = nullptr;
  if (gst_buffer_pool_acquire_buffer(pool_, &acquired, nullptr) != GST_FLOW_OK) {
    fail("CUDA has no more memory");
  }
  std::shared_ptr<GstBuffer> made = shared<gst_buffer_unref>(acquired);
  const DevicePlanes from(buffer, info, GST_MAP_READ), to(acquired, info, GST_MAP_WRITE);
  const CurrentContext current(*cuda, context);
  // After what upstream still does to the picture, which is in the same stream.
  const gpointer stream = cuda->get_stream_handle(cuda->get_stream(memory));
  int copied = 0;
  for (unsigned plane = 0; copied == 0 && plane < GST_VIDEO_INFO_N_PLANES(&info); ++plane) {
    const PlaneExtent extent = plane_extent(info, plane);
    CudaPlaneCopy copy;
    copy.from = from.side(plane);
    copy.to = to.side(plane);
    copy.row_bytes = static_cast<std::size_t>(extent.row_bytes);
    copy.rows = static_cast<std::size_t>(extent.rows);
    copied = cuda->copy_plane(&copy, stream);
  }
  // OpenCL cannot wait for CUDA; and what has begun must end before the memory is given back.
  const int waited = cuda->wait_for_stream(stream);
  require(copied, "cuMemcpy2DAsync()");
  require(waited, "cuStreamSynchronize()");
  return made;
}

void CudaCopies::clear() {
  if (pool_ == nullptr) return;
  gst_buffer_pool_set_active(pool_, FALSE);
  gst_object_unref(pool_);
  pool_ = nullptr;
  context_ = nullptr;
}

}  // namespace cltrack::gst
