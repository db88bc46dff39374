// SPDX-License-Identifier: LGPL-2.1-or-later
// Owners for what GStreamer hands out.
#pragma once

#include <gst/gst.h>

#include <memory>

namespace track_video {

struct Unref {
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstPad* pad) const { gst_object_unref(pad); }
  void operator()(GstBus* bus) const { gst_object_unref(bus); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
  void operator()(GError* error) const { g_error_free(error); }
  void operator()(gchar* text) const { g_free(text); }
};

template <typename T>
using Ptr = std::unique_ptr<T, Unref>;

}  // namespace track_video
