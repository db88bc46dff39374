// SPDX-License-Identifier: LGPL-2.1-or-later
#include "offered_pool.h"

namespace cltrack::accuracy {
namespace {

// The pool of the first answer to an allocation query, active; the caller's. Null if there is none.
GstBufferPool* active_pool(GstPad* sink, GstCaps* caps) {
  GstQuery* query = gst_query_new_allocation(caps, TRUE);
  GstBufferPool* pool = nullptr;
  if (gst_pad_query(sink, query) && gst_query_get_n_allocation_pools(query) > 0) {
    gst_query_parse_nth_allocation_pool(query, 0, &pool, nullptr, nullptr, nullptr);
  }
  gst_query_unref(query);
  if (pool != nullptr && !gst_buffer_pool_set_active(pool, TRUE)) g_clear_object(&pool);
  return pool;
}

}  // namespace

OfferedPool::~OfferedPool() {
  if (pool_ != nullptr) gst_buffer_pool_set_active(pool_, FALSE);
  g_clear_object(&pool_);
}

bool OfferedPool::ask(GstPad* sink) {
  GstCaps* caps = gst_pad_get_current_caps(sink);
  if (caps == nullptr) return false;
  if (gst_video_info_from_caps(&info_, caps)) pool_ = active_pool(sink, caps);
  gst_caps_unref(caps);
  return pool_ != nullptr;
}

GstBuffer* OfferedPool::copy(GstBuffer* buffer) const {
  GstBuffer* copy = nullptr;
  if (pool_ == nullptr || gst_buffer_pool_acquire_buffer(pool_, &copy, nullptr) != GST_FLOW_OK) {
    return nullptr;
  }
  GstVideoFrame from, to;
  bool copied = false;
  if (gst_video_frame_map(&from, &info_, buffer, GST_MAP_READ)) {
    if (gst_video_frame_map(&to, &info_, copy, GST_MAP_WRITE)) {
      copied = gst_video_frame_copy(&to, &from);
      gst_video_frame_unmap(&to);
    }
    gst_video_frame_unmap(&from);
  }
  if (!copied) gst_clear_buffer(&copy);
  if (copied) gst_buffer_copy_into(copy, buffer, GST_BUFFER_COPY_TIMESTAMPS, 0, -1);
  return copy;
}

}  // namespace cltrack::accuracy
