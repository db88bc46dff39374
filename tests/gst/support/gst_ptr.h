// SPDX-License-Identifier: LGPL-2.1-or-later
// Owners of GStreamer objects, and what is read from them.
#pragma once

#include <gst/gst.h>
#include <gtest/gtest.h>

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

inline constexpr int kEndOrError = int{GST_MESSAGE_EOS} | int{GST_MESSAGE_ERROR};

// The next message of these kinds; nothing if none comes in ten minutes. The first frame may have
// to wait until kernels are compiled, which takes minutes on a busy machine.
inline MessagePtr next_message(GstBus* bus, int kinds = kEndOrError) {
  return MessagePtr(
      gst_bus_timed_pop_filtered(bus, 600 * GST_SECOND, static_cast<GstMessageType>(kinds)));
}

// Fields of a structure; a failed test where there is none of this type.
inline double double_of(const GstStructure* structure, const char* name) {
  double value = -1;
  EXPECT_TRUE(structure != nullptr && gst_structure_get_double(structure, name, &value)) << name;
  return value;
}
inline guint64 uint64_of(const GstStructure* structure, const char* name) {
  guint64 value = 0;
  EXPECT_TRUE(structure != nullptr && gst_structure_get_uint64(structure, name, &value)) << name;
  return value;
}
inline std::string string_of(const GstStructure* structure, const char* name) {
  const char* value = structure != nullptr ? gst_structure_get_string(structure, name) : nullptr;
  EXPECT_NE(value, nullptr) << name;
  return value != nullptr ? value : "";
}

// Properties of an object: a text, "(none)" for null, and a structure.
inline std::string text_property(gpointer object, const char* name) {
  gchar* text = nullptr;
  g_object_get(object, name, &text, nullptr);
  const std::string result = text != nullptr ? text : "(none)";
  g_free(text);
  return result;
}
inline StructurePtr structure_property(gpointer object, const char* name) {
  GstStructure* structure = nullptr;
  g_object_get(object, name, &structure, nullptr);
  return StructurePtr(structure);
}

inline CapsPtr caps_from(const std::string& text) {
  return CapsPtr(gst_caps_from_string(text.c_str()));
}

}  // namespace cltrack::test
