// SPDX-License-Identifier: LGPL-2.1-or-later
// Action signals of the tracking elements: what their handlers have in common.
#pragma once

#include <gst/gst.h>

#include "elements/gstcltrackerbase.h"
#include "elements/target_requests.h"

namespace cltrack::gst {

inline TargetRequests requests_of(GstClTrackerBase* self) {
  return {GST_ELEMENT(self), gst_cl_tracker_base_control(self), {.source = CommandSource::signal}};
}

// `handler` takes the element and `arguments`, and returns `result`.
template <typename... Types>
void install_action(GType type, const char* name, GCallback handler, GType result,
                    Types... arguments) {
  g_signal_new_class_handler(
      name, type, static_cast<GSignalFlags>(G_SIGNAL_RUN_LAST | G_SIGNAL_ACTION), handler, nullptr,
      nullptr, nullptr, result, static_cast<guint>(sizeof...(arguments)), arguments...);
}

}  // namespace cltrack::gst
