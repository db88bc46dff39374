// SPDX-License-Identifier: LGPL-2.1-or-later
// Navigation events that have passed other elements, which translate their points.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "../support/bus.h"
#include "../support/gst_ptr.h"
#include "../support/navigation.h"
#include "cltrack/bounding_box.h"

namespace cltrack {
namespace {

constexpr const char* kLine =
    "videotestsrc pattern=smpte75 num-buffers=3 is-live=true ! "
    "video/x-raw,format=I420,width=320,height=240,framerate=5/1 ! "
    "cltracker name=tracker navigation=true ! trackoverlay navigation=true ! ";

bool has_element(const char* name) {
  GstElementFactory* factory = gst_element_factory_find(name);
  if (factory != nullptr) gst_object_unref(factory);
  return factory != nullptr;
}

BoundingBox box_of(const GstStructure* fields) {
  gdouble x = 0, y = 0, width = 0, height = 0;
  EXPECT_TRUE(gst_structure_get(fields, "x", G_TYPE_DOUBLE, &x, "y", G_TYPE_DOUBLE, &y, "width",
                                G_TYPE_DOUBLE, &width, "height", G_TYPE_DOUBLE, &height, nullptr));
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(width),
          static_cast<float>(height)};
}

// Drags in the sink's picture when the first buffer is there; the first box of the target.
BoundingBox box_of_drag(const std::string& rest, const BoundingBox& in_window) {
  const test::ElementPtr pipeline(gst_parse_launch((kLine + rest).c_str(), nullptr));
  if (!pipeline) {
    ADD_FAILURE() << rest;
    return {};
  }
  const test::ElementPtr sink(gst_bin_get_by_name(GST_BIN(pipeline.get()), "out"));
  const test::PadPtr pad(gst_element_get_static_pad(sink.get(), "sink"));
  // Once, on the thread that streams.
  gst_pad_add_probe(
      pad.get(), GST_PAD_PROBE_TYPE_BUFFER,
      [](GstPad* sink_pad, GstPadProbeInfo*, gpointer data) {
        const auto& box = *static_cast<const BoundingBox*>(data);
        const auto x = static_cast<double>(box.x), y = static_cast<double>(box.y);
        const auto right = static_cast<double>(box.right());
        const auto bottom = static_cast<double>(box.bottom());
        gst_pad_push_event(sink_pad, test::mouse_press(1, x, y));
        gst_pad_push_event(sink_pad, test::mouse_move(right, bottom));
        gst_pad_push_event(sink_pad, test::mouse_release(1, right, bottom));
        return GST_PAD_PROBE_REMOVE;
      },
      const_cast<BoundingBox*>(&in_window), nullptr);
  gst_element_set_state(pipeline.get(), GST_STATE_PLAYING);
  const test::BusPtr bus(gst_element_get_bus(pipeline.get()));
  BoundingBox found;
  for (bool going = true; going;) {
    const test::MessagePtr message =
        test::next_message(bus.get(), test::kEndOrError | int{GST_MESSAGE_ELEMENT});
    if (message && gst_message_has_name(message.get(), "cltracker-state") && !found.is_valid()) {
      found = box_of(gst_message_get_structure(message.get()));
    }
    going = message && GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_ELEMENT;
  }
  gst_element_set_state(pipeline.get(), GST_STATE_NULL);
  return found;
}

TEST(ClTrackerNavigation, ThroughVideoscale) {
  if (!has_element("videotestsrc") || !has_element("videoscale")) GTEST_SKIP() << "no videoscale";
  EXPECT_EQ(box_of_drag("videoscale ! video/x-raw,width=640,height=480 ! fakesink name=out",
                        {200, 160, 100, 80}),
            (BoundingBox{100, 80, 50, 40}));
  EXPECT_EQ(box_of_drag("videoscale ! video/x-raw,width=160,height=240,pixel-aspect-ratio=2/1 ! "
                        "fakesink name=out",
                        {50, 80, 25, 40}),
            (BoundingBox{100, 80, 50, 40}));
}

TEST(ClTrackerNavigation, ThroughCompositor) {
  if (!has_element("videotestsrc") || !has_element("compositor")) GTEST_SKIP() << "no compositor";
  EXPECT_EQ(box_of_drag("compositor sink_0::xpos=30 sink_0::ypos=10 sink_0::width=640 "
                        "sink_0::height=480 ! video/x-raw,width=700,height=500 ! fakesink name=out",
                        {230, 170, 100, 80}),
            (BoundingBox{100, 80, 50, 40}));
}

}  // namespace
}  // namespace cltrack
