// SPDX-License-Identifier: LGPL-2.1-or-later
// Action signals of the tracking elements, by which applications in any language say what to track.
// docs/control.md describes their arguments.
#pragma once

#include <glib-object.h>

namespace cltrack::gst {

// Adds them to the class of GstClTrackerBase, which all tracking elements inherit.
void install_target_signals(GType base);

// add-color, of the elements that track colours.
void install_color_signals(GType type);

// The action signals save-model and load-model, of elements whose tracker learns models.

// `type` is a GstClTrackerBase.
void install_model_signals(GType type);

}  // namespace cltrack::gst
