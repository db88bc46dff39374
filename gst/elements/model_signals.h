// SPDX-License-Identifier: LGPL-2.1-or-later
// The action signals save-model and load-model, of elements whose tracker learns models.
#pragma once

#include <glib-object.h>

namespace cltrack::gst {

// `type` is a GstClTrackerBase.
void install_model_signals(GType type);

}  // namespace cltrack::gst
