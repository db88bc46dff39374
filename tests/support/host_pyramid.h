// SPDX-License-Identifier: LGPL-2.1-or-later
// A pyramid of optical flow in the host's memory, with the padding of the vector bodies.
#pragma once

#include "ops/flow/flow_pyramid.h"

namespace cltrack::test {

inline void build_host_pyramid(const ImageView& src, int levels, int largest_window,
                               FlowPyramid& dst) {
  dst.reshape(padded_flow_pyramid_shape(src.width, src.height, levels, largest_window));
  vector::build_flow_pyramid(src, dst, dst.pixels.host_write().data());
}

}  // namespace cltrack::test
