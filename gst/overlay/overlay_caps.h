// SPDX-License-Identifier: LGPL-2.1-or-later
// Which caps trackoverlay can turn into which: a picture that it draws on keeps its caps; one that
// it attaches a composition to gains the caps feature that says so.
#pragma once

#include <gst/video/video.h>

#include <memory>

namespace cltrack::gst {

enum class CompositionMode {
  automatic,  // attach where downstream takes compositions, else draw
  blend,      // draw into the picture
  attach,     // attach; without somebody downstream who takes it, there is no negotiation
};

struct UnrefCaps {
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
};
using CapsPointer = std::unique_ptr<GstCaps, UnrefCaps>;

// Of both pads: what can be drawn on, then anything in any memory for attaching.
CapsPointer overlay_template_caps();

// Whether the first structure of `caps` has meta:GstVideoOverlayComposition.
bool has_composition_feature(const GstCaps* caps);

// Whether pictures of the first structure of `caps` can be drawn on, whatever features say about
// compositions.
bool has_drawable_pixels(const GstCaps* caps);

// What the other pad can have if the pad of `direction` has `caps`, best first.
CapsPointer transform_overlay_caps(GstPadDirection direction, const GstCaps* caps,
                                   CompositionMode mode);

// Whether the peer of `source` answers the ALLOCATION query for `caps` that it takes compositions.
// Elements that must know their caps first are sent them. For the streaming thread.
bool peer_takes_composition(GstPad* source, GstCaps* caps);

}  // namespace cltrack::gst
