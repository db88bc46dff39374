// SPDX-License-Identifier: LGPL-2.1-or-later
// What pipelines say.
#pragma once

#include "gst_ptr.h"

namespace cltrack::test {

inline constexpr int kEndOrError = int{GST_MESSAGE_EOS} | int{GST_MESSAGE_ERROR};

// The next message of these kinds; nothing if none comes in ten minutes. The first frame may have
// to wait until kernels are compiled, which takes minutes on a busy machine.
inline MessagePtr next_message(GstBus* bus, int kinds = kEndOrError) {
  return MessagePtr(
      gst_bus_timed_pop_filtered(bus, 600 * GST_SECOND, static_cast<GstMessageType>(kinds)));
}

}  // namespace cltrack::test
