// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of all tracking elements: names and descriptions.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

enum BaseProperty : guint { kDrawRect = 1, kStats };

void install_base_properties(GObjectClass* klass);

}  // namespace cltrack::gst
