// SPDX-License-Identifier: LGPL-2.1-or-later
// The StreamTracker of an element's class.
#pragma once

#include "elements/gstcltrackerbase.h"
#include "stream/target_update.h"

namespace cltrack::gst {

class ElementTracker final : public StreamTracker {
 public:
  explicit ElementTracker(GstClTrackerBase* self)
      : self_(self), class_(*GST_CL_TRACKER_BASE_GET_CLASS(self)) {}

  std::unique_ptr<Tracker> make_tracker() override {
    return class_.make_tracker(self_, gst_cl_tracker_base_devices(self_));
  }
  void prepare(Tracker& tracker, FrameContext& context) override {
    class_.prepare(self_, tracker, context);
  }
  const char* algorithm() const override { return class_.algorithm; }
  bool uses_color() const override { return class_.uses_color; }

 private:
  GstClTrackerBase* self_;
  const GstClTrackerBaseClass& class_;
};

}  // namespace cltrack::gst
