// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackoverlay that say what stands in the tags, and how.
#pragma once

#include <gst/gst.h>

#include "overlay/overlay_style.h"

namespace cltrack::gst {

inline constexpr guint kOverlayTextProperties = 7;

// Their ids are those from `first` on.
void install_overlay_text_properties(GObjectClass* klass, guint first);

// False for ids that are not among them. Throws Error{invalid_argument} that says what is allowed
// for a text that is not; `style` is then as it was.
bool set_overlay_text_property(OverlayStyle& style, guint id, guint first, const GValue* value);
bool get_overlay_text_property(const OverlayStyle& style, guint id, guint first, GValue* value);

}  // namespace cltrack::gst
