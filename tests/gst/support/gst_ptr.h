// SPDX-License-Identifier: LGPL-2.1-or-later
// Owners of GStreamer objects.
#pragma once

#include <gst/gst.h>

#include <memory>
#include <string>

namespace cltrack::test {

struct Unref {
  void operator()(GstBuffer* buffer) const { gst_buffer_unref(buffer); }
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
  void operator()(GstMessage* message) const { gst_message_unref(message); }
  void operator()(GstQuery* query) const { gst_query_unref(query); }
  void operator()(GstEvent* event) const { gst_event_unref(event); }
  void operator()(GstStructure* structure) const { gst_structure_free(structure); }
  void operator()(GstElement* element) const { gst_object_unref(element); }
  void operator()(GstBus* bus) const { gst_object_unref(bus); }
  void operator()(GstPad* pad) const { gst_object_unref(pad); }
  void operator()(GstPlugin* plugin) const { gst_object_unref(plugin); }
};

template <typename T>
using GstPtr = std::unique_ptr<T, Unref>;

using BufferPtr = GstPtr<GstBuffer>;
using CapsPtr = GstPtr<GstCaps>;
using MessagePtr = GstPtr<GstMessage>;
using QueryPtr = GstPtr<GstQuery>;
using StructurePtr = GstPtr<GstStructure>;
using ElementPtr = GstPtr<GstElement>;
using BusPtr = GstPtr<GstBus>;
using EventPtr = GstPtr<GstEvent>;
using PadPtr = GstPtr<GstPad>;

// What an error or warning message says.
inline std::string text_of(const MessagePtr& message) {
  GError* error = nullptr;
  if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ERROR) {
    gst_message_parse_error(message.get(), &error, nullptr);
  } else {
    gst_message_parse_warning(message.get(), &error, nullptr);
  }
  std::string text = error->message;
  g_error_free(error);
  return text;
}

inline CapsPtr caps_from(const std::string& text) {
  return CapsPtr(gst_caps_from_string(text.c_str()));
}

}  // namespace cltrack::test
