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

namespace cltrack::gst {

// How the pictures of a stream have come to the tracker, of those in memory other than the host's.
struct PictureRoutes {
  std::uint64_t lent = 0;    // in the device's memory
  std::uint64_t mapped = 0;  // through the host
  std::string reason = {};   // why not better: of the latest that was mapped
};

class BufferLender {
 public:
  // A picture that is the device's until it ends.
  class Loan {
   public:
    Loan() = default;
    explicit Loan(DevicePicture picture) : picture_(std::move(picture)) {}
    ~Loan();
    Loan(Loan&& other) noexcept : picture_(std::exchange(other.picture_, {})) {}
    Loan& operator=(Loan&&) = delete;

    const DevicePicture& picture() const { return picture_; }

   private:
    DevicePicture picture_;
  };

  // The picture of the buffer, which must stay until the loan ends; empty if it has to be mapped.
  // `devices` may be null. Does not throw; what keeps a picture from being lent that should have
  // been is one warning a stream, in `warnings`.
  Loan lend(GstBuffer* buffer, const GstVideoInfo& info, const TrackerDevices* devices,
            std::vector<std::string>& warnings);

  // Tells pictures of such memory apart without mapping them: that which repeats another one has
  // its memory. Nothing if the host has the picture.
  static const void* identity(GstBuffer* buffer);

  const PictureRoutes& routes() const { return routes_; }
  void reset();

 private:
  std::shared_ptr<DeviceMemory> memory_of(GstMemory* memory, const TrackerDevices& devices);

  PictureRoutes routes_;
  bool has_failed_ = false;  // it is not tried again
  // What is known of the device that has the memory of a CUDA context.
  const void* context_ = nullptr;
  std::optional<DeviceInfo> device_;
  std::string obstacle_;
};

}  // namespace cltrack::gst
