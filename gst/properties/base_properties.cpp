// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/base_properties.h"

namespace cltrack::gst {

const PropertyTable<BaseSettings>& base_properties() {
  using S = BaseSettings;
  static const PropertyTable<S> table{
      {PropertyName{"draw-rect", "Draw rectangle"}, field_at<S, &S::draw_rect>, kOnNextBuffer,
       "Draw a rectangle around each target into the picture"},
      {PropertyName{"stats", "Statistics"},
       "Frames, time and transfers of each stage, size of each target's model"},
      {"messages", field_at<S, &S::reports>,
       Choices{"GstClTrackerMessages",
               {{"No messages", "none"},
                {"When the state of a target changes", "on-change"},
                {"For each target and picture", "every-frame"}}},
       kOnNextBuffer, "When a message tells the state of a target"},
      {"navigation", field_at<S, &S::navigation>, kAtAnyTime,
       "Add, choose and remove targets with the mouse, in the window of a video sink"},
      {PropertyName{"roi-id", "Region id"}, field_at<S, &S::region_ids>,
       Choices{"GstClTrackerRoiId",
               {{"Id of the track", "track"},
                {"Id of the object detection meta of the track", "detection"}}},
       kOnNextBuffer,
       "Id of a region of interest: that of its track, or that of its object detection meta, as DL "
       "Streamer has it"},
      {PropertyName{"max-latency", "Maximum latency"}, field_at<S, &S::max_latency>, kAtAnyTime,
       "How late a frame of a live source may leave the element, ns; late frames get less work; 0: "
       "off",
       Range{0, 3600.0 * GST_SECOND}},
  };
  return table;
}

}  // namespace cltrack::gst
