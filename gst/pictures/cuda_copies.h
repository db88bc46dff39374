// SPDX-License-Identifier: LGPL-2.1-or-later
// Copies of pictures that are in CUDA memory which cannot be exported (that of a `tee`, or NVIDIA's
// decoder's own), in memory of the same device which can be.
//
// Threading: one thread at a time.
#pragma once

#include <gst/video/video.h>

#include <memory>

namespace cltrack::gst {

class CudaCopies {
 public:
  CudaCopies() = default;
  ~CudaCopies() { clear(); }
  CudaCopies(const CudaCopies&) = delete;
  CudaCopies& operator=(const CudaCopies&) = delete;

  // A picture with the same pixels and a layout of its own (GstVideoMeta), all of which is there
  // when this returns. Its memory is used again when nobody has the copy any more. `buffer` has one
  // memory, which is_cuda(). Throws Error{failed}.
  std::shared_ptr<GstBuffer> copy(GstBuffer* buffer, const GstVideoInfo& info);

  // Gives the memory back.
  void clear();

 private:
  void make_pool(GstObject* context, const GstVideoInfo& info);

  GstBufferPool* pool_ = nullptr;  // owned
  GstObject* context_ = nullptr;   // which the pool holds
  GstVideoInfo info_;
};

}  // namespace cltrack::gst
