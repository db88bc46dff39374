// SPDX-License-Identifier: LGPL-2.1-or-later
// trackzones: pictures of events, and where there must be none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "../../support/temporary_folder.h"
#include "../support/tracker_harness.h"
#include "../support/video_picture.h"
#include "metadata/zone_meta.h"
#include "pictures/template_file.h"

namespace cltrack::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kZones = "door: line 0,0.5 1,0.5; room: area 0,0.5 1,0.5 1,1 0,1";

class PicturesHarness : public ElementHarness {
 public:
  explicit PicturesHarness(const fs::path& folder, const std::string& further = "",
                           const std::string& properties = "")
      : ElementHarness("trackzones name=counter zones=\"" + std::string(kZones) +
                       "\" picture-folder=" + folder.string() + " " + properties +
                       (further.empty() ? " ! identity" : " ! " + further)) {
    gst_harness_set_src_caps(get(), gst_video_info_to_caps(&info));
  }
  ~PicturesHarness() { set_state(GST_STATE_NULL); }

  BufferPtr see(float y) {
    BufferPtr buffer = make_picture(info);
    const std::vector<Track> tracks = {{.id = 7,
                                        .label = "person",
                                        .box = {80, y - 20, 20, 20},
                                        .confidence = 0.75f,
                                        .state = TrackState::tracking}};
    gst::write_tracks(buffer.get(), tracks, {"tracker", "tld"}, info.width, info.height);
    return pass(std::move(buffer));
  }
  // Down over the line, into the area.
  BufferPtr walk_in() {
    for (const float y : {60, 80, 120, 120}) see(y);
    return see(120);
  }

  // The pictures of the messages by "KIND ZONE"; "" where there is none.
  std::map<std::string, std::string> posted() {
    std::map<std::string, std::string> all;
    for (const MessagePtr& message : messages(GST_MESSAGE_ANY)) {
      if (GST_MESSAGE_TYPE(message.get()) == GST_MESSAGE_WARNING) {
        warnings.push_back(text_of(message));
      }
      if (GST_MESSAGE_TYPE(message.get()) != GST_MESSAGE_ELEMENT) continue;
      const GstStructure* event = gst_message_get_structure(message.get());
      const char* picture = gst_structure_get_string(event, "picture");
      all[string_of(event, "event") + " " + string_of(event, "zone")] =
          picture != nullptr ? picture : "";
    }
    return all;
  }

  guint64 stat(const char* name) {
    const ElementPtr counter(gst_bin_get_by_name(GST_BIN(element()), "counter"));
    return uint64_of(structure_property(counter.get(), "stats").get(), name);
  }
  void set_style(const char* style) {
    const ElementPtr overlay(gst_bin_get_by_name(GST_BIN(element()), "overlay"));
    gst_util_set_object_arg(G_OBJECT(overlay.get()), "style", style);
  }

  std::vector<std::string> warnings;  // that came with them
  GstVideoInfo info = video_info(GST_VIDEO_FORMAT_I420, 200, 200);
};

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename());
  return names;
}

bool is_jpeg(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return bytes.starts_with("\xff\xd8") && bytes.ends_with("\xff\xd9");
}

TEST(TrackZonesPictures, EventsHaveTheirNames) {
  const TemporaryFolder folder;
  PicturesHarness harness(folder.path() / "new");
  const BufferPtr buffer = harness.walk_in();
  const auto posted = harness.posted();
  ASSERT_EQ(posted.size(), 3U);
  EXPECT_THAT(posted.at("cross door"), HasSubstr("Z-door-cross-7.jpg"));
  EXPECT_THAT(posted.at("enter room"), HasSubstr("Z-room-enter-7.jpg"));
  EXPECT_EQ(posted.at("count room"), "");
  const std::vector<gst::ZoneNews> news = gst::read_zones(buffer.get());
  ASSERT_THAT(news, SizeIs(1));
  ASSERT_THAT(news[0].reports, SizeIs(3));
  EXPECT_EQ(news[0].reports[0].picture, posted.at("cross door"));
  harness.push_event(gst_event_new_eos());
  EXPECT_EQ(harness.posted().at("leave room"), "") << "that is none of picture-events";
  harness.set_state(GST_STATE_NULL);
  for (const char* event : {"cross door", "enter room"}) {
    EXPECT_TRUE(is_jpeg(folder.path() / "new" / posted.at(event))) << event;
  }
  EXPECT_THAT(files_in(folder.path() / "new"), SizeIs(2));
  EXPECT_EQ(harness.stat("pictures-written"), 2U);
  EXPECT_EQ(harness.stat("pictures-dropped"), 0U);
  EXPECT_THAT(harness.texts(), IsEmpty());
}

TEST(TrackZonesPictures, OfOtherEventsToo) {
  const TemporaryFolder folder;
  PicturesHarness harness(folder.path(), "", "picture-events=leave picture-files=1");
  harness.walk_in();
  harness.push_event(gst_event_new_eos());
  const auto posted = harness.posted();
  EXPECT_EQ(posted.at("cross door"), "");
  harness.set_state(GST_STATE_NULL);
  EXPECT_THAT(files_in(folder.path()), ElementsAre(posted.at("leave room")));
}

class TrackZonesHides : public testing::TestWithParam<const char*> {};

TEST_P(TrackZonesHides, NoPictureIsMade) {
  const TemporaryFolder folder;
  PicturesHarness harness(folder.path(), GetParam());
  harness.walk_in();
  for (const auto& [event, picture] : harness.posted()) EXPECT_EQ(picture, "") << event;
  EXPECT_THAT(harness.warnings, ElementsAre(HasSubstr("trackoverlay hides tracks downstream")));
  // What was seen until now stays hidden.
  harness.set_style("box");
  harness.push_event(gst_event_new_eos());
  harness.set_state(GST_STATE_NULL);
  EXPECT_THAT(files_in(folder.path()), IsEmpty());
  EXPECT_EQ(harness.stat("pictures-written"), 0U);
}

INSTANTIATE_TEST_SUITE_P(
    Wherever, TrackZonesHides,
    testing::Values("trackoverlay name=overlay style=blur",
                    "queue ! videoconvert ! trackoverlay name=overlay style=pixelate",
                    "tee name=t t. ! queue ! trackoverlay name=overlay style=blur ! fakesink "
                    "async=false t. ! queue"));

TEST(TrackZonesPictures, WhatIsHiddenForAWhileIsMissing) {
  const TemporaryFolder folder;
  PicturesHarness harness(folder.path(), "trackoverlay name=overlay");
  harness.see(60);
  harness.set_style("blur");
  harness.see(80);
  harness.set_style("box");
  for (const float y : {120, 120, 120}) harness.see(y);
  const std::string picture = harness.posted().at("cross door");
  EXPECT_THAT(picture, HasSubstr("cross"));
  harness.set_style("blur");
  for (const float y : {60, 60, 60}) harness.see(y);
  EXPECT_EQ(harness.posted().at("cross door"), "");
  harness.set_state(GST_STATE_NULL);
  EXPECT_TRUE(is_jpeg(folder.path() / picture));
}

TEST(TrackZonesPictures, BehindTheOverlayTheyAreHidden) {
  const TemporaryFolder folder;
  ElementHarness harness("trackoverlay style=pixelate ! trackzones zones=\"" + std::string(kZones) +
                         "\" picture-folder=" + folder.path().string());
  const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_GRAY8, 200, 200);
  gst_harness_set_src_caps(harness.get(), gst_video_info_to_caps(&info));
  for (int i = 0; i < 3; ++i) {
    // Stripes, which a mosaic has not.
    BufferPtr buffer = make_picture(info, 0, [](int x, int, int) { return x % 2 * 255; });
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "person", 80, 140, 20, 40)->id = 3;
    harness.pass(std::move(buffer));
  }
  harness.set_state(GST_STATE_NULL);
  ASSERT_THAT(files_in(folder.path()), SizeIs(1));
  const Image luma = gst::load_template(folder.path() / files_in(folder.path())[0]);
  ASSERT_EQ(luma.width(), 36);
  const std::uint8_t* row = luma.row(luma.height() / 2);
  const auto [least, most] = std::minmax_element(row + 8, row + 28);  // the box
  EXPECT_LE(*most - *least, 40) << "stripes would be 255 apart";
}

TEST(TrackZonesPictures, BadSettingsEndInOneError) {
  const TemporaryFolder folder;
  const std::string file = folder.write("file", "");
  const auto error = [](const std::vector<Property>& properties) {
    ElementHarness harness("trackzones");
    harness.set_state(GST_STATE_NULL);
    for (const auto& [name, value] : properties) harness.set(name, value);
    EXPECT_EQ(harness.set_state(GST_STATE_PLAYING), GST_STATE_CHANGE_FAILURE);
    return harness.texts(GST_MESSAGE_ERROR);
  };
  EXPECT_THAT(error({{"picture-folder", file}}),
              ElementsAre(HasSubstr("picture-folder \"" + file + "\": ")));
  EXPECT_THAT(error({{"picture-folder", folder.path()}, {"picture-events", "cross count"}}),
              ElementsAre(HasSubstr("there is no \"count\" of tracks; allowed")));
}

TEST(TrackZonesPictures, WhatCannotBeWrittenIsCountedAndToldOnce) {
  const TemporaryFolder folder;
  PicturesHarness harness(folder.path() / "gone");
  fs::remove(folder.path() / "gone");
  for (int i = 0; i < 2; ++i) {
    harness.walk_in();
    for (const float y : {60, 60, 60}) harness.see(y);
  }
  harness.set_state(GST_STATE_NULL);
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("are dropped: No such file or directory")));
  EXPECT_EQ(harness.stat("pictures-written"), 0U);
  EXPECT_EQ(harness.stat("pictures-dropped"), 6U);
  EXPECT_FALSE(fs::exists(folder.path() / "gone"));
}

TEST(TrackZonesPictures, WhatHasNoPixelsIsCountedWithoutThem) {
  const TemporaryFolder folder;
  for (const char* caps : {"video/x-raw(memory:GLMemory),format=RGBA,width=200,height=200",
                           "image/jpeg,width=200,height=200"}) {
    PicturesHarness harness(folder.path());
    gst_harness_set_src_caps_str(harness.get(), caps);
    harness.walk_in();
    EXPECT_EQ(harness.posted().at("cross door"), "") << caps;
    EXPECT_THAT(harness.warnings, ElementsAre(HasSubstr("pictures of events cannot be made of")));
  }
  // Nor of what is no picture.
  PicturesHarness harness(folder.path());
  for (const guint id : {1U, 2U}) {
    BufferPtr buffer(gst_buffer_new_allocate(nullptr, 10, nullptr));
    gst_buffer_add_video_region_of_interest_meta(buffer.get(), "x", 9, 9, 50, 50)->id =
        static_cast<gint>(id);
    harness.pass(std::move(buffer));
  }
  EXPECT_THAT(harness.texts(), ElementsAre(HasSubstr("no picture of an event can be made: ")));
  harness.set_state(GST_STATE_NULL);
  EXPECT_THAT(files_in(folder.path()), IsEmpty());
}

}  // namespace
}  // namespace cltrack::test
