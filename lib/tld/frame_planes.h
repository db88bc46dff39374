// SPDX-License-Identifier: LGPL-2.1-or-later
// What all targets share of one frame: made once, on the host or where the ferns run.
#pragma once

#include "cltrack/image_view.h"
#include "compute/plane.h"
#include "ops/flow/flow_pyramid.h"
#include "ops/planes/blur.h"
#include "ops/planes/integral.h"

namespace cltrack {

struct FramePlanes {
  ImageView luma;           // the frame's own memory
  ImageView blurred;        // what the ferns see; device.blurred is the same for operations
  IntegralView integrals;   // what the variance filter sees
  FlowPyramidView pyramid;  // what median flow sees

  // Make the others out of luma on the host; all may run at the same time.
  void blur_on_host() {
    blur_vector(luma, host.blurred);
    blurred = host.blurred.view();
    device.blurred.borrow(blurred);
  }
  void integrate_on_host() {
    integrate(luma, host.integrals);
    integrals = host.integrals;
  }
  void build_pyramid_on_host(int levels, int largest_window) {
    build_flow_pyramid(luma, levels, largest_window, host.pyramid);
    pyramid = host.pyramid.host_view();
  }

  // Lets devices see luma, which has to stay where it is until release(). Waits for devices that
  // still work with what was made of the frame before.
  void borrow() {
    device.luma.borrow(luma);
    device.blurred.release();
  }
  void release() { device.luma.release(); }
  // Queue blurred and integrals on the device of the ferns, and the pyramid on that of the flow.
  void enqueue_ferns(Queue& queue);
  void enqueue_pyramid(Queue& queue, int levels, int largest_window) {
    build_flow_pyramid(queue, device.luma, levels, largest_window, device.pyramid);
  }
  // Bring to the host what enqueue_ferns() made; wait, the first one not if it has been fetched.
  void fetch_blurred() { device.blurred.pixels.fetch(); }
  void view_blurred_on_host();
  void view_integrals_on_host();

  // Frees it all. What devices have goes first: memory that is destroyed waits for those that still
  // read what the host has, and swallows what a broken one says.
  void clear() noexcept {
    device = {};
    *this = {};
  }

  struct {
    Image blurred;
    Integrals integrals;
    FlowPyramid pyramid;
  } host;
  struct {
    Plane luma, blurred;
    IntegralArrays integrals;
    FlowPyramid pyramid;
  } device;
};

}  // namespace cltrack
