// SPDX-License-Identifier: LGPL-2.1-or-later
// What all tracking elements have in common: caps, mapping, events, metadata, messages, statistics.
// A subclass says which tracker to make, and what of its properties to apply before each frame.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <memory>
#include <string>
#include <vector>

#include "core/tracker.h"

namespace cltrack::gst {

// The frame that a tracker is about to get.
struct FrameContext {
  int width;                          // pixels
  int height;                         // pixels
  bool first;                         // nothing has left the element since it was started
  bool may_learn;                     // false for a picture that its decoder has marked as damaged
  const char* algorithm;              // as in the class; a subclass that has several says which
  std::vector<std::string> warnings;  // filled by the subclass, posted as warnings of the element
  std::vector<std::string> tracker_warnings;  // what the tracker had to say, posted as well
};

}  // namespace cltrack::gst

G_BEGIN_DECLS

#define GST_TYPE_CL_TRACKER_BASE (gst_cl_tracker_base_get_type())
G_DECLARE_DERIVABLE_TYPE(GstClTrackerBase, gst_cl_tracker_base, GST, CL_TRACKER_BASE,
                         GstBaseTransform)

// Both functions run on the streaming thread while the tracker is locked: they may throw, and must
// post no message and emit no signal.
struct _GstClTrackerBaseClass {
  GstBaseTransformClass parent_class;

  // A tracker for a stream that begins.
  std::unique_ptr<cltrack::Tracker> (*make_tracker)(GstClTrackerBase* self);

  // Applies what the user has set to the tracker. Returns false if there is nothing to track: then
  // the buffer passes without being looked at.
  bool (*prepare)(GstClTrackerBase* self, cltrack::Tracker& tracker,
                  cltrack::gst::FrameContext& context);

  // Set in class_init: what is written into the metadata, and whether the tracker looks at colours
  // (Frame::color) rather than at brightness.
  const char* algorithm;
  bool looks_at_color;
};

G_END_DECLS
