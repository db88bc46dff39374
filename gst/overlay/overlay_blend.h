// SPDX-License-Identifier: LGPL-2.1-or-later
// Brings what is drawn onto a frame, into its pixels or as metadata, and the caps for both.
#pragma once

#include <gst/video/video.h>

#include <memory>
#include <span>

#include "overlay/overlay_layer.h"
#include "overlay/overlay_scene.h"

namespace cltrack::gst {

// Draws all patches with gst_video_overlay_composition_blend(). That function takes apart and puts
// together whole rows of the frame, so it is called once for all patches of a few rows, and given
// no more than the columns around them where the format allows. False if GStreamer cannot blend
// onto the frame's format.
bool blend_patches(const GstVideoFrame& frame, std::span<const OverlayPatch> patches);

// Adds all patches as GstVideoOverlayCompositionMeta, on top of what there is already. `buffer`
// must be writable; its pixels are left alone.
void attach_patches(GstBuffer* buffer, std::span<const OverlayPatch> patches);

// Which caps trackoverlay can turn into which: a picture that it draws on keeps its caps; one that
// it attaches a composition to gains the caps feature that says so.

enum class CompositionMode {
  automatic,  // attach where downstream takes compositions, else draw
  blend,      // draw into the picture
  attach,     // attach; without somebody downstream who takes it, there is no negotiation
};

struct UnrefCaps {
  void operator()(GstCaps* caps) const { gst_caps_unref(caps); }
};
using CapsPointer = std::unique_ptr<GstCaps, UnrefCaps>;

// The caps of both pads: what can be drawn on, then anything in any memory for attaching.
CapsPointer overlay_template_caps();

// Whether the first structure of `caps` has meta:GstVideoOverlayComposition.
bool has_composition_feature(const GstCaps* caps);

// Whether pictures of the first structure of `caps` can be drawn on, whatever features say about
// compositions.
bool has_drawable_pixels(const GstCaps* caps);

// The caps that the other pad can have if the pad of `direction` has `caps`, best first.
CapsPointer transform_overlay_caps(GstPadDirection direction, const GstCaps* caps,
                                   CompositionMode mode);

// Whether the peer of `source` answers the ALLOCATION query for `caps` that it takes compositions.
// Elements that must know their caps first are sent them. For the streaming thread.
bool peer_takes_composition(GstPad* source, GstCaps* caps);

}  // namespace cltrack::gst
