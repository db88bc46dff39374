// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in DMA-BUFs, which cameras and decoders of V4L2 and VA-API leave them in, as memory of a
// device of OpenCL that imports it. Linear ones come in caps of system memory: only the memory
// tells.
#pragma once

#include <gst/gst.h>

#include <memory>
#include <optional>

#include "cltrack/device_picture.h"
#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// Whether a memory is one, whatever caps say.
bool is_dma_buf(GstMemory* memory);

// The device of the first stage whose driver imports DMA-BUFs: the first stages are those that look
// at the picture. Nothing if there is none.
std::optional<DeviceInfo> dma_buf_device(const TrackerDevices& devices);

// The one DMA-BUF that all memory of a buffer is in, as a memory that stays the same for all its
// parts; null if there is none.
GstMemory* dma_buf_of(GstBuffer* buffer);

// The DMA-BUF of dma_buf_of() as memory of the device, imported once and kept for as long as the
// GstMemory is. Waits until nobody writes to it any more, by its fences. Throws what
// import_memory() throws, and Error{failed} after a second. Any thread.
std::shared_ptr<DeviceMemory> import_dma_buf(GstMemory* memory, const DeviceInfo& device);
// Whether that has been done.
bool is_imported(GstMemory* memory);

}  // namespace cltrack::gst
