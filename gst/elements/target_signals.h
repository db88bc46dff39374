// SPDX-License-Identifier: LGPL-2.1-or-later
// Action signals of the tracking elements.
#pragma once

#include <glib-object.h>
#include <gst/gst.h>

#include "elements/gstcltrackerbase.h"
#include "elements/target_requests.h"

namespace cltrack::gst {

// Action signals of the tracking elements: what their handlers have in common.

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

// Action signals of the tracking elements, by which applications in any language say what to track.

// Of the class of GstClTrackerBase, which all tracking elements inherit.
void install_target_signals(GType base);

// add-color, of the elements that track colours.
void install_color_signals(GType type);

// The action signals save-model and load-model, of elements whose tracker learns models.

// `type` is a GstClTrackerBase.
void install_model_signals(GType type);

}  // namespace cltrack::gst
