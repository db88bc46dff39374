// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties that all tracking elements have: what they are called and what they mean.
#pragma once

#include <gst/gst.h>

namespace cltrack::gst {

enum BaseProperty : guint { kDrawRect = 1, kStats };

void install_base_properties(GObjectClass* klass);

}  // namespace cltrack::gst
