// SPDX-License-Identifier: LGPL-2.1-or-later
// Devices as users choose them: the properties, what is answered to a device that is not there, and
// the same boxes wherever the stages run.
#include <map>
#include <string>
#include <vector>

#include "../support/matchers.h"
#include "../support/tracking_elements.h"
#include "cltrack/device_info.h"

namespace cltrack::test {
namespace {

class TrackerDevices : public TrackingElementTest {
 protected:
  bool is_colored() const { return std::string(GetParam().name) == "clcolortracker"; }
  std::vector<const char*> properties() const {
    if (is_colored()) return {"device", "color-device"};
    return {"device", "motion-device", "fern-device", "nn-device", "learn-device"};
  }
};

INSTANTIATE_TEST_SUITE_P(Elements, TrackerDevices, testing::ValuesIn(tracking_elements()),
                         element_name);

TEST_P(TrackerDevices, PropertiesKeepWhatIsSet) {
  EXPECT_EQ(text_property(harness_.object(), "device"), "auto");
  for (const char* name : properties()) {
    if (std::string(name) != "device") {
      EXPECT_EQ(text_property(harness_.object(), name), "(none)");
    }
    harness_.set(name, "host");
    EXPECT_EQ(text_property(harness_.object(), name), "host");
  }
}

TEST_P(TrackerDevices, PlacementSaysWhatRunsWhere) {
  harness_.set_state(GST_STATE_NULL);
  if (!is_colored()) harness_.set("fern-device", "host");
  harness_.set_state(GST_STATE_PLAYING);
  const StructurePtr placed = structure_property(harness_.object(), "placement");
  const std::map<std::string, std::string> expected =
      is_colored() ? std::map<std::string, std::string>{{"color", "auto: host"}}
                   : std::map<std::string, std::string>{
                         {"motion", "auto: host"}, {"ferns", "host"}, {"learn", "auto: host"}};
  EXPECT_EQ(gst_structure_n_fields(placed.get()) == 1, is_colored());
  for (const auto& [stage, device] : expected) {
    EXPECT_THAT(string_of(placed.get(), stage.c_str()), testing::StartsWith(device)) << stage;
  }
  harness_.set_state(GST_STATE_NULL);
  EXPECT_EQ(structure_property(harness_.object(), "placement"), nullptr) << "nothing runs";
}

TEST_P(TrackerDevices, AMissingDeviceIsAnErrorAtTheStart) {
  for (const char* property : properties()) {
    harness_.set_state(GST_STATE_NULL);
    harness_.set(property, "a quantum computer");
    EXPECT_EQ(harness_.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_FAILURE);
    EXPECT_THAT(harness_.texts(GST_MESSAGE_ERROR),
                ElementsAre(AllOf(HasSubstr(property), HasSubstr("a quantum computer"),
                                  HasSubstr("devices present: host"))));
    // Mended, it starts.
    harness_.set(property, "host");
    harness_.set_state(GST_STATE_NULL);
    EXPECT_EQ(harness_.set_state(GST_STATE_PAUSED), GST_STATE_CHANGE_SUCCESS);
  }
}

TEST_P(TrackerDevices, StatsSayWhatItCosts) {
  start_tracking();
  const StructurePtr stats = harness_.stats();
  EXPECT_EQ(uint64_of(stats.get(), "frames"), 5u);
  const GValue* stages = gst_structure_get_value(stats.get(), "stages");
  ASSERT_NE(stages, nullptr);
  std::vector<std::string> names;
  for (guint i = 0; i < gst_value_array_get_size(stages); ++i) {
    const GstStructure* stage = gst_value_get_structure(gst_value_array_get_value(stages, i));
    names.push_back(string_of(stage, "name"));
    EXPECT_EQ(string_of(stage, "device"), "host");
    EXPECT_GT(uint64_of(stage, "calls"), 0u);
    EXPECT_GE(double_of(stage, "total-ms"), double_of(stage, "median-ms"));
    EXPECT_GE(double_of(stage, "p99-ms"), double_of(stage, "median-ms"));
    for (const char* name : {"bytes-up", "bytes-down", "waits"}) {
      EXPECT_EQ(uint64_of(stage, name), 0u) << name;
    }
  }
  if (is_colored()) {
    EXPECT_THAT(names, ElementsAre("table", "color", "decide"));
  } else {
    EXPECT_EQ(names.at(0), "planes");
  }
}

std::vector<BoundingBox> track(std::initializer_list<Property> properties) {
  TrackerHarness harness(properties);
  harness.set("targets", targets_text(moving_target(0)));
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

}  // namespace
}  // namespace cltrack::test
