// SPDX-License-Identifier: LGPL-2.1-or-later
// Two tracking elements in one pipeline: each numbers its tracks from 1.
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "../../support/temporary_folder.h"
#include "../support/matchers.h"
#include "../support/scene.h"
#include "../support/tracker_harness.h"
#include "../support/video_picture.h"
#include "metadata/track_meta.h"

namespace cltrack::test {
namespace {

using Json = nlohmann::json;

constexpr ColorPatch kBluePatch = {100, 50, 30, 30, {20, 30, 200}};

class TwoTrackers : public testing::Test {
 protected:
  TwoTrackers()
      : line_("clcolortracker name=a ! clcolortracker name=b ! trackpublish location=" +
              location()) {
    set_colors("a", R"(<"rgb,red=200,green=20,blue=30">)");
    set_colors("b", R"(<"rgb,red=20,green=30,blue=200">)");
    const GstVideoInfo info = video_info(GST_VIDEO_FORMAT_RGB, kColorWidth, kColorHeight);
    gst_harness_set_src_caps(line_.get(), gst_video_info_to_caps(&info));
  }

  void set_colors(const char* name, const char* colors) {
    const ElementPtr element(gst_bin_get_by_name(GST_BIN(line_.element()), name));
    gst_util_set_object_arg(G_OBJECT(element.get()), "colors", colors);
  }
  void send(GstEventType type, const std::string& fields) {
    GstEvent* event = control_event(type, fields);
    if (type == GST_EVENT_CUSTOM_UPSTREAM) {
      gst_harness_push_upstream_event(line_.get(), event);
    } else {
      gst_harness_push_event(line_.get(), event);
    }
  }
  BufferPtr pass(const std::vector<ColorPatch>& patches) {
    return line_.pass(color_picture(patches));
  }

  // Who has answered commands, and how.
  std::vector<std::string> answers() {
    std::vector<std::string> found;
    for (const MessagePtr& message : line_.messages(GST_MESSAGE_ELEMENT)) {
      const GstStructure* fields = gst_message_get_structure(message.get());
      if (!gst_structure_has_name(fields, "cltracker-target")) continue;
      if (std::string(gst_structure_get_string(fields, "source")) != "event") continue;
      found.push_back(std::string(GST_MESSAGE_SRC_NAME(message.get())) + " " +
                      gst_structure_get_string(fields, "action") + " " +
                      gst_structure_get_string(fields, "reason"));
    }
    return found;
  }

  // "new a 1 tracking" and so on.
  std::vector<std::string> events() const {
    std::vector<std::string> found;
    std::ifstream in(location());
    for (std::string line; std::getline(in, line);) {
      const Json json = Json::parse(line);
      if (!json.contains("type")) continue;
      const Json& object = json["object"];
      found.push_back(json["type"].get<std::string>() + " " +
                      object["cltrack"]["tracker"].get<std::string>() + " " + object["id"].dump() +
                      " " + object["cltrack"]["state"].get<std::string>());
    }
    return found;
  }

  std::string location() const { return (folder_.path() / "tracks.jsonl").string(); }

  const TemporaryFolder folder_;
  ElementHarness line_;
};

TEST_F(TwoTrackers, RegionsSayWhoseTheyAre) {
  const BufferPtr buffer = pass({kRedPatch, kBluePatch});
  std::vector<gst::TrackKey> keys;
  for (const gst::TrackRegion& region : gst::read_tracks(buffer.get())) {
    keys.push_back(region.key());
  }
  EXPECT_THAT(keys, ElementsAre(gst::TrackKey{"a", 1}, gst::TrackKey{"b", 1}));
}

TEST_F(TwoTrackers, TheLossOfOneIsTold) {
  pass({kRedPatch, kBluePatch});
  pass({kBluePatch});
  line_.set_state(GST_STATE_NULL);
  EXPECT_THAT(events(), ElementsAre("new a 1 tracking", "new b 1 tracking", "update a 1 lost",
                                    "end a 1 lost", "end b 1 tracking"));
}

TEST_F(TwoTrackers, ACommandForAnIdThatBothHaveIsRefused) {
  pass({kRedPatch, kBluePatch});
  for (const GstEventType type : {GST_EVENT_CUSTOM_UPSTREAM, GST_EVENT_CUSTOM_DOWNSTREAM}) {
    answers();
    send(type, "command=remove, id=1");
    EXPECT_THAT(gst::read_tracks(pass({kRedPatch, kBluePatch}).get()), SizeIs(2));
    EXPECT_THAT(answers(), ElementsAre(HasSubstr("name one of them in the field \"element\"")));
  }
}

TEST_F(TwoTrackers, ACommandGoesToTheElementThatIsNamed) {
  pass({kRedPatch, kBluePatch});
  send(GST_EVENT_CUSTOM_UPSTREAM, "command=remove, id=1, element=a");
  const BufferPtr buffer = pass({kRedPatch, kBluePatch});
  ASSERT_THAT(gst::read_tracks(buffer.get()), SizeIs(1));
  EXPECT_EQ(gst::read_tracks(buffer.get())[0].tracker, "b");
  EXPECT_THAT(answers(), ElementsAre("a removed "));
}

TEST_F(TwoTrackers, ACommandGoesToTheOnlyOneThatHasTheId) {
  pass({kRedPatch, kBluePatch});
  send(GST_EVENT_CUSTOM_UPSTREAM, "command=add, element=a, x=40, y=24, width=32, height=40");
  pass({kRedPatch, kBluePatch});
  EXPECT_THAT(answers(), ElementsAre("a added "));
  send(GST_EVENT_CUSTOM_UPSTREAM, "command=remove, id=2");
  pass({kRedPatch, kBluePatch});
  EXPECT_THAT(answers(), ElementsAre("a removed "));
  send(GST_EVENT_CUSTOM_DOWNSTREAM, "command=remove, id=3");
  pass({kRedPatch, kBluePatch});
  EXPECT_THAT(answers(), ElementsAre(HasSubstr("there is no target with the id 3")));
}

}  // namespace
}  // namespace cltrack::test
