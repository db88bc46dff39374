// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures of buffers that are in a device's memory already, for Frame::on_device. What cannot be
// lent is mapped on the host (mapped_frame.h), which any memory of GStreamer can be.
//
// Threading: the streaming thread, or the one that starts and stops it.
#pragma once

#include <gst/video/video.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cltrack/device_picture.h"
#include "cltrack/tracker_devices.h"
#include "pictures/cuda_copies.h"

namespace cltrack::gst {

// How the pictures of a stream have come to the tracker.
struct PictureRoutes {
  // Those in memory other than the host's.
  std::uint64_t lent = 0;    // in the device's memory
  std::uint64_t copied = 0;  // the same, in a copy that the device has made first
  std::uint64_t mapped = 0;  // through the host
  // Why not better: of the latest that was copied, and of the latest that was mapped.
  std::string copied_because = {};
  std::string reason = {};
  // Those in the host's memory, while a stage was on a device that copies from there: how many it
  // has read as they were, and how many the host had to copy first.
  std::uint64_t pinned = 0;
  std::uint64_t staged = 0;
};

class BufferLender {
 public:
  // A picture that is the device's until it ends.
  class Loan {
   public:
    Loan() = default;
    explicit Loan(DevicePicture picture, std::shared_ptr<GstBuffer> copy = {})
        : picture_(std::move(picture)), copy_(std::move(copy)) {}
    ~Loan();
    Loan(Loan&& other) noexcept
        : picture_(std::exchange(other.picture_, {})), copy_(std::move(other.copy_)) {}
    Loan& operator=(Loan&&) = delete;

    const DevicePicture& picture() const { return picture_; }

   private:
    DevicePicture picture_;
    std::shared_ptr<GstBuffer> copy_;  // null if it is the buffer's own memory
  };

  // The picture of the buffer, which must stay until the loan ends; empty if it has to be mapped.
  // `devices` may be null; `by_color` is that of a tracker that looks at colours alone, and needs
  // no plane of brightness. Does not throw; what keeps a picture from being lent that should have
  // been is one warning a stream, in `warnings`.
  Loan lend(GstBuffer* buffer, const GstVideoInfo& info, const TrackerDevices* devices,
            bool by_color, std::vector<std::string>& warnings);

  // Whether the buffer is in other memory than the host's.
  static bool is_elsewhere(GstBuffer* buffer);

  // Counts a picture that is read on the host instead: at `data`, or because of `reason` if it is
  // in other memory.
  void count_mapped(GstBuffer* buffer, const void* data, const TrackerDevices* devices,
                    const char* reason);

  // Tells pictures of such memory apart without mapping them: that which repeats another one has
  // its memory. Nothing if the host has the picture, or a DMA-BUF that is not lent.
  static const void* identity(GstBuffer* buffer);

  const PictureRoutes& routes() const { return routes_; }
  void reset();
  // Gives memory back; what is counted stays.
  void close();

  // A device that `auto` has turned to after upstream was told where to write pictures, and that
  // copies them: memory that it reads by DMA would be better.
  const std::optional<DeviceInfo>& later_device() const { return later_device_; }
  void forget_later_device() { later_device_.reset(); }

 private:
  bool can_import(GstMemory* memory, const TrackerDevices& devices);
  std::shared_ptr<DeviceMemory> imported(GstMemory* memory);
  std::shared_ptr<DeviceMemory> dma_buf_memory(GstBuffer* buffer, const TrackerDevices& devices);

  PictureRoutes routes_;
  std::optional<DeviceInfo> later_device_;
  bool has_failed_ = false;  // it is not tried again
  // What is known of the device that has the memory of a CUDA context.
  const void* context_ = nullptr;
  std::optional<DeviceInfo> device_;
  std::string obstacle_;
  CudaCopies copies_;
};

}  // namespace cltrack::gst
