// SPDX-License-Identifier: LGPL-2.1-or-later
// clcolortracker's devices: the properties, devices that are not there, the same objects
// everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "../support/color_scene.h"
#include "../support/tracker_harness.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

StructurePtr placement(TrackerHarness& harness) {
  GstStructure* structure = nullptr;
  g_object_get(harness.object(), "placement", &structure, nullptr);
  return StructurePtr(structure);
}

TEST(ClColorTrackerDevices, PlacementSaysWhereColoursAreLookedFor) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  const StructurePtr placed = placement(harness);
  ASSERT_NE(placed, nullptr);
  EXPECT_EQ(gst_structure_n_fields(placed.get()), 1);
  EXPECT_THAT(gst_structure_get_string(placed.get(), "color"), HasSubstr("auto: host"));
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  EXPECT_EQ(placement(harness), nullptr) << "nothing runs";
}

TEST(ClColorTrackerDevices, AMissingDeviceIsAnErrorAtTheStart) {
  for (const char* property : {"device", "color-device"}) {
    TrackerHarness harness({}, "clcolortracker");
    gst_element_set_state(harness.element(), GST_STATE_NULL);
    harness.set(property, "a quantum computer");
    EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    ASSERT_THAT(errors, SizeIs(1));
    EXPECT_THAT(errors[0], HasSubstr(property));
    EXPECT_THAT(errors[0], HasSubstr("a quantum computer"));
    EXPECT_THAT(errors[0], HasSubstr("devices present: host"));
    // Mended, it starts.
    harness.set(property, "host");
    gst_element_set_state(harness.element(), GST_STATE_NULL);
    EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST(ClColorTrackerDevices, SameObjectsOnEveryDevice) {
  for (const DeviceInfo& device : list_devices()) {
    for (const char* blobs : {"0", "2"}) {
      for (const GstVideoFormat format : {GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGB}) {
        SCOPED_TRACE(device.spec + " " + blobs + " " + gst_video_format_to_string(format));
        TrackerHarness harness(
            {{"colors", kRedColor}, {"blobs", blobs}, {"color-device", device.spec}},
            "clcolortracker");
        TrackerHarness host({{"colors", kRedColor}, {"blobs", blobs}, {"color-device", "host"}},
                            "clcolortracker");
        harness.set_caps(kColorWidth, kColorHeight, format);
        host.set_caps(kColorWidth, kColorHeight, format);
        for (int i = 0; i < 3; ++i) {
          ColorPatch other = kRedPatch;
          other.x += 50 + 4 * i;
          other.y += 8 * i;
          const auto found = boxes(harness.pass(color_picture({kRedPatch, other}, format)));
          EXPECT_EQ(found, boxes(host.pass(color_picture({kRedPatch, other}, format))));
          EXPECT_THAT(found, SizeIs(blobs[0] == '0' ? 1 : 2));
        }
      }
    }
  }
}

TEST(ClColorTrackerDevices, StatsSayWhatItCosts) {
  TrackerHarness harness({{"colors", kRedColor}}, "clcolortracker");
  harness.set_caps(kColorWidth, kColorHeight, GST_VIDEO_FORMAT_RGB);
  for (int i = 0; i < 3; ++i) harness.pass(color_picture({kRedPatch}));
  const StructurePtr stats = harness.stats();
  ASSERT_NE(stats, nullptr);
  guint64 frames = 0;
  EXPECT_TRUE(gst_structure_get_uint64(stats.get(), "frames", &frames));
  EXPECT_EQ(frames, 3u);
  const GValue* stages = gst_structure_get_value(stats.get(), "stages");
  ASSERT_NE(stages, nullptr);
  std::vector<std::string> names;
  for (guint i = 0; i < gst_value_array_get_size(stages); ++i) {
    const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, i));
    names.emplace_back(gst_structure_get_string(stage, "name"));
    EXPECT_STREQ(gst_structure_get_string(stage, "device"), "host");
  }
  EXPECT_EQ(names, (std::vector<std::string>{"table", "color", "decide"}));
}

}  // namespace
}  // namespace cltrack::test
