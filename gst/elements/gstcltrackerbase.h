// SPDX-License-Identifier: LGPL-2.1-or-later
// The base class of the tracking elements: caps, events, start and stop, statistics, and the
// processing of buffers (track_stream.h). A subclass opens the devices, makes the tracker, and
// applies its properties before each frame.
#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/gst.h>

#include <memory>
#include <string>

#include "cltrack/error.h"
#include "cltrack/tracker.h"
#include "cltrack/tracker_devices.h"
#include "control/target_control.h"
#include "elements/guard.h"
#include "properties/property_table.h"
#include "stream/target_update.h"

G_BEGIN_DECLS

#define GST_TYPE_CL_TRACKER_BASE (gst_cl_tracker_base_get_type())
G_DECLARE_DERIVABLE_TYPE(GstClTrackerBase, gst_cl_tracker_base, GST, CL_TRACKER_BASE,
                         GstBaseTransform)

struct _GstClTrackerBaseClass {
  GstBaseTransformClass parent_class;

  // At the start: opens what the tracker needs, and returns its devices, null if it has no stages.
  // May throw. At the stop: lets go of all but these, which must do no harm if nothing was opened;
  // null if there is nothing else. No lock is held.
  std::shared_ptr<cltrack::TrackerDevices> (*open)(GstClTrackerBase* self);
  void (*close)(GstClTrackerBase* self);

  // The next two run on the streaming thread while the tracker is locked: they may throw, and must
  // post no message and emit no signal.

  // A tracker for a stream that begins, on the devices that open() has returned.
  std::unique_ptr<cltrack::Tracker> (*make_tracker)(
      GstClTrackerBase* self, std::shared_ptr<cltrack::TrackerDevices> devices);

  // Applies what properties say to the tracker; targets go to the context's set.
  void (*prepare)(GstClTrackerBase* self, cltrack::Tracker& tracker,
                  cltrack::gst::FrameContext& context);

  // Set in class_init: what is written into the metadata, and whether the tracker looks at colours
  // (Frame::color) rather than at brightness.
  const char* algorithm;
  bool uses_color;
};

G_END_DECLS

// The commands of applications for the targets. Any thread.
cltrack::gst::TargetControl& gst_cl_tracker_base_control(GstClTrackerBase* self);

// The model that is learnt of a target. Any thread; waits for the buffer that is being processed.
// Throws Error.
cltrack::SavedModel gst_cl_tracker_base_save(GstClTrackerBase* self, guint64 id);

// The devices, from start to stop; null while stopped. And their stages as the value of a property
// "placement". Both take the object lock.
std::shared_ptr<cltrack::TrackerDevices> gst_cl_tracker_base_devices(GstClTrackerBase* self);
void gst_cl_tracker_base_get_placement(GstClTrackerBase* self, GValue* value);

// For set_tracker_property(). The first one with the object lock held, the second one without it.
void gst_cl_tracker_base_accept(GstClTrackerBase* self, const char* property);
void gst_cl_tracker_base_refuse(GstClTrackerBase* self, const char* property,
                                const std::string& refusal);

namespace cltrack::gst {

// Sets a property of a subclass. A value that its table does not allow changes nothing: there is a
// warning, and while stopped the next start fails, unless a good value of the same `subject` is set
// before, since what was asked for would be missed otherwise.
template <typename Settings>
void set_tracker_property(GstClTrackerBase* self, const PropertyTable<Settings>& table,
                          Settings& settings, guint id, const GValue* value, const char* subject) {
  try {
    const ObjectLock lock(self);
    set_property(table, settings, id, value);
    gst_cl_tracker_base_accept(self, subject);
  } catch (const Error& error) {
    gst_cl_tracker_base_refuse(self, subject, error.what());
  }
}

// The table leaves "placement" to the element.
template <typename Settings>
void get_tracker_property(GstClTrackerBase* self, const PropertyTable<Settings>& table,
                          Settings& settings, guint id, GValue* value) {
  {
    const ObjectLock lock(self);
    if (get_property(table, settings, id, value)) return;
  }
  gst_cl_tracker_base_get_placement(self, value);
}

}  // namespace cltrack::gst
