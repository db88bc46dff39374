// SPDX-License-Identifier: LGPL-2.1-or-later
// RAII for objects of C libraries: Scoped<cairo_t, cairo_destroy>, and with shared ownership
// shared<gst_buffer_unref>(buffer).
#pragma once

#include <gst/gst.h>

#include <memory>
#include <string>

namespace cltrack::gst {

template <auto kRelease>
struct Release {
  template <typename T>
  void operator()(T* object) const {
    kRelease(object);
  }
};

template <typename T, auto kRelease>
using Scoped = std::unique_ptr<T, Release<kRelease>>;

template <auto kRelease, typename T>
std::shared_ptr<T> shared(T* object) {
  return {object, Release<kRelease>()};
}

// The name of an element, or of another GstObject.
inline std::string name_of(gpointer object) {
  const Scoped<char, g_free> name(gst_object_get_name(GST_OBJECT(object)));
  return name.get();
}

}  // namespace cltrack::gst
