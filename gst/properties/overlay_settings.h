// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackoverlay: names, descriptions and values.
#pragma once

#include <gst/gst.h>

#include <cstdint>

#include "overlay/overlay_caps.h"
#include "overlay/overlay_style.h"

G_BEGIN_DECLS

// The type of the property "composition".
#define GST_TYPE_TRACK_OVERLAY_COMPOSITION (gst_track_overlay_composition_get_type())
GType gst_track_overlay_composition_get_type(void);

G_END_DECLS

namespace cltrack::gst {

struct OverlaySettings {
  OverlayStyle style;
  std::uint64_t lost_time = GST_SECOND;  // ns of stream time
  CompositionMode composition = CompositionMode::automatic;
  bool navigation = false;
};

void install_overlay_properties(GObjectClass* klass);

// Both return false for an id that is none of ours. The caller keeps other threads off `settings`.
bool set_overlay_property(OverlaySettings& settings, guint id, const GValue* value);
bool get_overlay_property(const OverlaySettings& settings, guint id, GValue* value);

// Whether a change of the property needs a new negotiation.
bool changes_negotiation(guint id);

}  // namespace cltrack::gst
