// SPDX-License-Identifier: LGPL-2.1-or-later
// What stands in the tag of a box.
#pragma once

#include <string>

#include "metadata/track_meta.h"
#include "overlay/overlay_style.h"

namespace cltrack::gst {

// Label, id, confidence and state, in this order, as far as `style` asks for them and the region
// has them: "bottle #2 87% uncertain". The state is spelled out unless it is `tracking`: that is
// what a solid line says already. Or else what the template of `style` says. Always valid UTF-8 on
// one line and of bounded length, whatever the label is; empty if there is nothing to say.
std::string tag_text(const TrackRegion& region, const OverlayStyle& style);

}  // namespace cltrack::gst
