// SPDX-License-Identifier: LGPL-2.1-or-later
// unique_ptr for what C libraries hand out: Scoped<cairo_t, cairo_destroy>.
#pragma once

#include <memory>

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

}  // namespace cltrack::gst
