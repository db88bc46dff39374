// SPDX-License-Identifier: LGPL-2.1-or-later
#include "tld/frame_planes.h"

namespace cltrack {

void FramePlanes::enqueue_ferns(Queue& queue) {
  blur(queue, device.luma, device.blurred);
  integrate(queue, device.luma, device.integrals);
}

void FramePlanes::view_blurred_on_host() { blurred = device.blurred.host_view(); }

void FramePlanes::view_integrals_on_host() {
  device.integrals.sums.fetch();
  device.integrals.squares.fetch();
  integrals = device.integrals.host_view();
}

}  // namespace cltrack
