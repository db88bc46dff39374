// SPDX-License-Identifier: LGPL-2.1-or-later
// One 8-bit plane of a picture on host or device: like ImageView, for operations that run on
// devices.
#pragma once

#include <cstdint>

#include "cltrack/image_view.h"
#include "compute/array.h"
#include "kernels/kernel_types.h"

namespace cltrack {

struct Plane {
  Array<std::uint8_t> pixels;
  PlaneLayout layout = {};

  int width() const { return layout.width; }
  int height() const { return layout.height; }

  // Makes it a packed plane for an operation to write; contents are unspecified.
  void resize(int width, int height) {
    layout = {width, height, width, 0};
    pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  }

  // Uses the picture without copying it; see Memory::borrow. Uploads include the padding between
  // rows: one long copy is faster than many short ones.
  void borrow(const ImageView& view) {
    layout = {view.width, view.height, static_cast<std::int32_t>(view.stride), 0};
    const std::size_t bytes = view.empty()
                                  ? 0
                                  : static_cast<std::size_t>(view.stride * (view.height - 1)) +
                                        static_cast<std::size_t>(view.width);
    pixels.borrow({view.data, bytes});
  }

  void release() { pixels.release(); }

  // For host bodies; waits if only a device has the contents.
  ImageView host_view() const {
    return {pixels.host_read().data() + layout.offset, layout.width, layout.height, layout.stride};
  }
};

}  // namespace cltrack
