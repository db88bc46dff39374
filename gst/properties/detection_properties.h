// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of cltracker that say what is done with detections of other elements.
#pragma once

#include <gst/gst.h>

#include "detections/detection.h"

namespace cltrack::gst {

inline constexpr guint kDetectionProperties = 4;

// Their ids are those from `first` on.
void install_detection_properties(GObjectClass* klass, guint first);

// False for ids that are not among them.
bool set_detection_property(DetectionSettings& settings, guint id, guint first,
                            const GValue* value);
bool get_detection_property(const DetectionSettings& settings, guint id, guint first,
                            GValue* value);

}  // namespace cltrack::gst
