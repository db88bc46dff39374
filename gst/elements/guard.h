// SPDX-License-Identifier: LGPL-2.1-or-later
// RAII for GStreamer's object lock, and the boundary where exceptions become element errors.
#pragma once

#include <gst/gst.h>

#include <exception>
#include <utility>

#include "cltrack/error.h"

namespace cltrack::gst {

class ObjectLock {
 public:
  explicit ObjectLock(void* object) : object_(GST_OBJECT(object)) { GST_OBJECT_LOCK(object_); }
  ~ObjectLock() { GST_OBJECT_UNLOCK(object_); }
  ObjectLock(const ObjectLock&) = delete;
  ObjectLock& operator=(const ObjectLock&) = delete;

 private:
  GstObject* object_;
};

// The boundary between C++ and GStreamer: exceptions must not pass through C code. guard() runs a
// callable and turns an exception into one error message on the bus. Where there is no element yet,
// guard_class() and make_members() keep in mind that something is missing.

// One error message: the error's text, and its details as debug text. What is wrong with settings
// or devices is of the domain RESOURCE, everything else of STREAM. Names of files and devices may
// be anything, messages are UTF-8.
inline void post_error(GstElement* element, const Error& error) {
  GQuark domain = GST_RESOURCE_ERROR;
  int code = GST_RESOURCE_ERROR_FAILED;
  switch (error.code()) {
    case ErrorCode::invalid_argument:
    case ErrorCode::device_missing:
      code = GST_RESOURCE_ERROR_SETTINGS;
      break;
    case ErrorCode::out_of_memory:
      code = GST_RESOURCE_ERROR_NO_SPACE_LEFT;
      break;
    case ErrorCode::device_failed:
    case ErrorCode::build_failed:
      break;
    case ErrorCode::failed:
    case ErrorCode::interrupted:
      domain = GST_STREAM_ERROR;
      code = GST_STREAM_ERROR_FAILED;
      break;
  }
  gst_element_message_full(
      element, GST_MESSAGE_ERROR, domain, code, g_utf8_make_valid(error.what(), -1),
      g_utf8_make_valid(error.details().c_str(), -1), __FILE__, GST_FUNCTION, __LINE__);
}

// Returns what `callable` returns, or `on_error` after an error message has been posted for
// `element`. Threading: as `callable`; the caller must hold no lock that a handler of the message
// might want.
template <typename Result, typename Callable>
Result guard(GstElement* element, Result on_error, Callable&& callable) noexcept {
  try {
    return std::forward<Callable>(callable)();
  } catch (const Error& error) {
    post_error(element, error);
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(element, STREAM, FAILED,
                      ("%s stopped: %s", GST_OBJECT_NAME(element), error.what()), (nullptr));
  } catch (...) {
    GST_ELEMENT_ERROR(element, STREAM, FAILED,
                      ("%s stopped: unknown exception", GST_OBJECT_NAME(element)), (nullptr));
  }
  return on_error;
}

// The same for what has no result.
template <typename Callable>
void guard(GstElement* element, Callable&& callable) noexcept {
  guard(element, true, [&] {
    std::forward<Callable>(callable)();
    return true;
  });
}

// For class_init, which cannot fail: a class of which a part is missing is not registered, see
// is_complete().
template <typename Callable>
void guard_class(gpointer klass, Callable&& init) noexcept {
  try {
    std::forward<Callable>(init)();
  } catch (...) {
    g_type_set_qdata(G_TYPE_FROM_CLASS(klass), g_quark_from_static_string("cltrack-incomplete"),
                     klass);
  }
}

// Initialises the class, for the first call; GStreamer would do that as soon as it is registered.
inline bool is_complete(GType type) {
  g_type_class_ref(type);
  for (; type != 0; type = g_type_parent(type)) {
    if (g_type_get_qdata(type, g_quark_from_static_string("cltrack-incomplete")) != nullptr) {
      return false;
    }
  }
  return true;
}

// GST_ELEMENT_REGISTER_DEFINE() for a class that may be incomplete. NAME is that of the element.
#define CLTRACK_REGISTER_DEFINE(NAME, TYPE)                               \
  GST_ELEMENT_REGISTER_DEFINE_WITH_CODE(NAME, #NAME, GST_RANK_NONE, TYPE, \
                                        if (!cltrack::gst::is_complete(TYPE)) return FALSE)

// The C++ members of an instance, for its init; null if memory runs out. Then members_of() throws
// whatever is done with the element.
template <typename Members>
Members* make_members() noexcept {
  try {
    return new Members();
  } catch (...) {
    return nullptr;
  }
}

template <typename Members>
Members& members_of(Members* members) {
  if (members != nullptr) return *members;
  throw Error(ErrorCode::out_of_memory, "memory ran out while this element was made");
}

}  // namespace cltrack::gst
