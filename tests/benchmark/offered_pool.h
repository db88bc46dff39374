// SPDX-License-Identifier: LGPL-2.1-or-later
// The memory that an element offers to those before it, used as a decoder uses it.
#pragma once

#include <gst/video/video.h>

namespace cltrack::accuracy {

class OfferedPool {
 public:
  OfferedPool() = default;
  ~OfferedPool();
  OfferedPool(const OfferedPool&) = delete;
  OfferedPool& operator=(const OfferedPool&) = delete;

  // Asks the element of this sink pad, which has had its caps, for a pool. Returns whether it
  // offers one.
  bool ask(GstPad* sink);

  // The picture of `buffer`, with its times, in the pool's memory; the caller's. Null if there is
  // no pool, or if something fails.
  GstBuffer* copy(GstBuffer* buffer) const;

 private:
  GstBufferPool* pool_ = nullptr;
  GstVideoInfo info_{};
};

}  // namespace cltrack::accuracy
