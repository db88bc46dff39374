// SPDX-License-Identifier: LGPL-2.1-or-later
// The boundary between C++ and GStreamer: no exception may leave a virtual function of an element,
// since the C code above it cannot be unwound. guard() runs a callable and turns whatever it throws
// into one error message on the bus.
#pragma once

#include <gst/gst.h>

#include <exception>
#include <utility>

#include "core/error.h"

namespace cltrack::gst {

// Returns what `callable` returns, or `on_error` after an error message has been posted for
// `element`. Threading: as `callable`; the caller must hold no lock that a handler of the message
// might want.
template <typename Result, typename Callable>
Result guard(GstElement* element, Result on_error, Callable&& callable) noexcept {
  try {
    return std::forward<Callable>(callable)();
  } catch (const Error& error) {
    if (error.code() == ErrorCode::invalid_argument) {
      GST_ELEMENT_ERROR(element, RESOURCE, SETTINGS, ("%s", error.what()), (nullptr));
    } else {
      GST_ELEMENT_ERROR(element, STREAM, FAILED, ("%s", error.what()), (nullptr));
    }
  } catch (const std::exception& error) {
    GST_ELEMENT_ERROR(element, STREAM, FAILED, ("Tracking stopped: %s", error.what()), (nullptr));
  } catch (...) {
    GST_ELEMENT_ERROR(element, STREAM, FAILED, ("Tracking stopped: unknown exception"), (nullptr));
  }
  return on_error;
}

}  // namespace cltrack::gst
