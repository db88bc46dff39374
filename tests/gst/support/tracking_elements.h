// SPDX-License-Identifier: LGPL-2.1-or-later
// What both tracking elements do alike is tested with each of them.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tracker_harness.h"

namespace cltrack::test {

struct TrackingElement {
  const char* name;
  Property target;  // says to track `object`
  GstVideoFormat format, other_format;
  int width, height;
  BoundingBox object, elsewhere;
  // A picture with the object there.
  BufferPtr (*picture)(const BoundingBox& place, GstVideoFormat format);
};

inline void PrintTo(const TrackingElement& element, std::ostream* out) { *out << element.name; }

inline std::vector<TrackingElement> tracking_elements() {
  return {{.name = "cltracker",
           .target = {"targets", kTargets},
           .format = GST_VIDEO_FORMAT_GRAY8,
           .other_format = GST_VIDEO_FORMAT_NV12,
           .width = 320,
           .height = 240,
           .object = kTarget,
           .elsewhere = {200, 150, 48, 40},
           .picture =
               [](const BoundingBox& place, GstVideoFormat format) {
                 return make_buffer(draw_scene(320, 240, place), format);
               }},
          {.name = "clcolortracker",
           .target = {"colors", kRedColor},
           .format = GST_VIDEO_FORMAT_RGB,
           .other_format = GST_VIDEO_FORMAT_NV12,
           .width = kColorWidth,
           .height = kColorHeight,
           .object = {40, 24, 32, 40},
           .elsewhere = {110, 70, 32, 40},
           .picture = [](const BoundingBox& place, GstVideoFormat format) {
             ColorPatch patch = kRedPatch;
             patch.x = static_cast<int>(place.x);
             patch.y = static_cast<int>(place.y);
             return color_picture(place.is_valid() ? std::vector{patch} : std::vector<ColorPatch>(),
                                  format);
           }}};
}

class TrackingElementTest : public testing::TestWithParam<TrackingElement> {
 protected:
  TrackingElementTest() : harness_(GetParam().name, {}) { set_caps(); }

  void set_caps() { harness_.set_caps(GetParam().width, GetParam().height, GetParam().format); }
  static BufferPtr picture(const BoundingBox& place = GetParam().object) {
    return GetParam().picture(place, GetParam().format);
  }
  std::vector<gst::TrackRegion> track(const BoundingBox& place = GetParam().object) {
    return regions(harness_.pass(picture(place)));
  }
  // Begins to track the object, and drops the messages.
  void set_target() { harness_.set(GetParam().target.name, GetParam().target.value); }
  void start_tracking() {
    set_target();
    for (int i = 0; i < 5; ++i) EXPECT_EQ(track().size(), 1u);
    harness_.states();
  }
  // The id of the object once it is found there; 0 if it is not within 5 frames.
  int find(const BoundingBox& place = GetParam().object) {
    for (int i = 0; i < 5; ++i) {
      const auto found = track(place);
      if (found.size() == 1 && overlap(found[0].box, place) > 0.6f) return found[0].id;
    }
    return 0;
  }
  void begin_stream(const char* id) {
    harness_.push_event(gst_event_new_stream_start(id));
    set_caps();
    harness_.push_segment();
  }

  TrackerHarness harness_;
};

inline std::string element_name(const testing::TestParamInfo<TrackingElement>& tested) {
  return tested.param.name;
}

}  // namespace cltrack::test
