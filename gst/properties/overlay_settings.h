// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of trackoverlay: what they are called, what they mean and what they hold.
#pragma once

#include <gst/gst.h>

#include <cstdint>

#include "overlay/overlay_style.h"

namespace cltrack::gst {

enum class CompositionMode {
  automatic,  // attach where downstream takes compositions, else draw
  blend,      // draw into the picture
  attach,     // attach; without somebody downstream who takes it, there is no negotiation
};

struct OverlaySettings {
  OverlayStyle style;
  std::uint64_t lost_time = GST_SECOND;  // ns of stream time
  CompositionMode composition = CompositionMode::automatic;
};

void install_overlay_properties(GObjectClass* klass);

// Both return false for an id that is none of ours. The caller keeps other threads off `settings`.
bool set_overlay_property(OverlaySettings& settings, guint id, const GValue* value);
bool get_overlay_property(const OverlaySettings& settings, guint id, GValue* value);

// Whether the property bears on negotiation.
bool changes_negotiation(guint id);

}  // namespace cltrack::gst
