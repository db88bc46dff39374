// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices as users choose them: the properties, what is answered to a device that is not there, and
// the same boxes wherever the stages run.
#include <gmock/gmock.h>

#include "../support/scene.h"
#include "../support/tracker_harness.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

using testing::HasSubstr;

std::string text_property(GObject* object, const char* name) {
  gchar* text = nullptr;
  g_object_get(object, name, &text, nullptr);
  const std::string result = text != nullptr ? text : "(none)";
  g_free(text);
  return result;
}

StructurePtr placement(TrackerHarness& harness) {
  GstStructure* structure = nullptr;
  g_object_get(harness.object(), "placement", &structure, nullptr);
  return StructurePtr(structure);
}

std::vector<BoundingBox> track(std::initializer_list<Property> properties) {
  TrackerHarness harness(properties);
  const BoundingBox box = moving_target(0);
  harness.set("targets", "<<" + std::to_string(box.x) + "," + std::to_string(box.y) + "," +
                             std::to_string(box.width) + "," + std::to_string(box.height) + ">>");
  harness.set_caps(320, 240);
  std::vector<BoundingBox> all;
  for (int i = 0; i < 20; ++i) {
    const BufferPtr buffer = harness.pass(moving_scene(i));
    if (!buffer) break;
    for (const BoundingBox& found : boxes(buffer)) all.push_back(found);
  }
  EXPECT_TRUE(harness.texts(GST_MESSAGE_ERROR).empty());
  return all;
}

TEST(ClTrackerDevices, PropertiesKeepWhatIsSet) {
  TrackerHarness harness;
  EXPECT_EQ(text_property(harness.object(), "device"), "auto");
  EXPECT_EQ(text_property(harness.object(), "fern-device"), "(none)");
  for (const char* name : {"device", "motion-device", "fern-device", "nn-device", "learn-device"}) {
    harness.set(name, "host");
    EXPECT_EQ(text_property(harness.object(), name), "host");
  }
}

// An alias of the same value, whichever is set.
TEST(ClTrackerDevices, FlowDeviceIsTheFormerNameOfMotionDevice) {
  TrackerHarness harness;
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  EXPECT_EQ(text_property(harness.object(), "flow-device"), "(none)");
  harness.set("flow-device", "a quantum computer");
  EXPECT_EQ(text_property(harness.object(), "motion-device"), "a quantum computer");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  harness.set("motion-device", "host");
  EXPECT_EQ(text_property(harness.object(), "flow-device"), "host");
  EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);

  const auto is_deprecated = [&](const char* name) {
    const GParamSpec* spec =
        g_object_class_find_property(G_OBJECT_GET_CLASS(harness.object()), name);
    return (static_cast<unsigned>(spec->flags) & G_PARAM_DEPRECATED) != 0;
  };
  EXPECT_TRUE(is_deprecated("flow-device"));
  EXPECT_FALSE(is_deprecated("motion-device"));
}

TEST(ClTrackerDevices, FlowDeviceIsUnderstoodInALaunchLine) {
  const ElementPtr tracker(gst_parse_launch("cltracker flow-device=host", nullptr));
  ASSERT_NE(tracker, nullptr);
  EXPECT_EQ(text_property(G_OBJECT(tracker.get()), "motion-device"), "host");
}

TEST(ClTrackerDevices, PlacementSaysWhatRunsWhere) {
  TrackerHarness harness{{"fern-device", "host"}};
  const StructurePtr placed = placement(harness);
  ASSERT_NE(placed, nullptr);
  EXPECT_THAT(gst_structure_get_string(placed.get(), "motion"), HasSubstr("auto: host"));
  EXPECT_THAT(gst_structure_get_string(placed.get(), "ferns"), testing::StartsWith("host"));
  EXPECT_THAT(gst_structure_get_string(placed.get(), "learn"), HasSubstr("auto: host"));
  gst_element_set_state(harness.element(), GST_STATE_NULL);
  EXPECT_EQ(placement(harness), nullptr) << "nothing runs";
}

TEST(ClTrackerDevices, AMissingDeviceIsAnErrorAtTheStart) {
  for (const char* property :
       {"device", "motion-device", "fern-device", "nn-device", "learn-device"}) {
    TrackerHarness harness;
    gst_element_set_state(harness.element(), GST_STATE_NULL);
    harness.set(property, "a quantum computer");
    EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    const auto errors = harness.texts(GST_MESSAGE_ERROR);
    ASSERT_EQ(errors.size(), 1u);
    EXPECT_THAT(errors[0], HasSubstr(property));
    EXPECT_THAT(errors[0], HasSubstr("a quantum computer"));
    EXPECT_THAT(errors[0], HasSubstr("devices present: host"));
    // Mended, it starts.
    harness.set(property, "host");
    gst_element_set_state(harness.element(), GST_STATE_NULL);
    EXPECT_EQ(gst_element_set_state(harness.element(), GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST(ClTrackerDevices, SameBoxesOnEveryDevice) {
  const std::vector<BoundingBox> expected = track({{"device", "host"}});
  ASSERT_EQ(expected.size(), 20u);
  for (const DeviceInfo& device : list_devices()) {
    EXPECT_EQ(track({{"fern-device", device.spec},
                     {"nn-device", device.spec},
                     {"learn-device", device.spec}}),
              expected)
        << device.spec;
    EXPECT_EQ(track({{"device", device.spec}}).size(), expected.size()) << device.spec;
  }
}

}  // namespace
}  // namespace cltrack::test
