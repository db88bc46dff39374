// SPDX-License-Identifier: LGPL-2.1-or-later
// Pictures in DMA-BUFs, which cameras and decoders of V4L2 and VA-API leave them in: their caps,
// and their memory on a device of OpenCL that imports it. Only linear ones: rows of pixels, one
// stride from each other.
//
// In caps of their own they are format=DMA_DRM with a drm-format, which has their modifier
// (GStreamer 1.24). The memory:DMABuf with other formats of 1.22 is not taken: it does not tell
// linear pictures from tiled ones, and decoders of VA-API leave tiled ones wherever it is. Linear
// pictures come in caps of system memory, too: only the memory tells.
#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>

#include <memory>
#include <optional>

#include "cltrack/device_picture.h"
#include "cltrack/tracker_devices.h"

namespace cltrack::gst {

// Whether caps have the feature memory:DMABuf; and whether a memory is one, whatever caps say.
bool is_dma_buf(const GstCaps* caps);
bool is_dma_buf(GstMemory* memory);

// Takes caps of raw video, and returns them with linear DMA-BUFs. The caller owns what is returned.
GstCaps* with_dma_bufs(GstCaps* caps);

// As gst_video_info_from_caps(), with the raw format for a drm-format of with_dma_bufs().
bool read_video_info(GstVideoInfo& info, const GstCaps* caps);

// Whether a stage stays on a device whose driver imports them. What `auto` has chosen may be the
// host again, and that can be slow to read them.
bool wants_dma_bufs(const TrackerDevices& devices);

// Takes DMA-BUFs out of the answer to a query of caps, unless nothing is left then.
void leave_out_dma_bufs(GstQuery* query);

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
