// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_json.h"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace cltrack::gst {
namespace {

using Json = nlohmann::json;

const Picture kPicture{"cam1", 200, 100, 1200000000, "2026-01-02T03:04:05Z"};
const Stamp kStamp{17, "f00"};

TrackRegion track() {
  return {.id = 7,
          .label = "car",
          .box = {20, 10, 40, 50},
          .confidence = 0.9f,
          .state = TrackState::tracking,
          .age = 31};
}

Json tracks_of(const Picture& picture, const std::vector<TrackRegion>& regions) {
  return Json::parse(tracks_json(picture, regions, kStamp));
}

TEST(TrackJson, HasTheFieldsOfGvametaconvertAndOurs) {
  EXPECT_EQ(tracks_of(kPicture, {track()}), Json::parse(R"({
    "resolution": {"width": 200, "height": 100}, "source": "cam1", "timestamp": 1200000000,
    "system_timestamp": "2026-01-02T03:04:05Z", "tags": {},
    "objects": [{"x": 20, "y": 10, "w": 40, "h": 50, "region_id": 7, "id": 7, "roi_type": "car",
      "detection": {"bounding_box": {"x_min": 0.1, "x_max": 0.3, "y_min": 0.1, "y_max": 0.6},
                    "confidence": 0.9, "label": "car"},
      "cltrack": {"state": "tracking", "age": 31}}],
    "cltrack": {"run": "f00", "sequence": 17}})"));
}

TEST(TrackJson, IsOneLine) {
  TrackRegion region = track();
  region.label = "a\nb\"c";
  const std::string text = tracks_json(kPicture, std::vector{region}, kStamp);
  EXPECT_EQ(text.find('\n'), std::string::npos);
  EXPECT_EQ(Json::parse(text)["objects"][0]["roi_type"], "a\nb\"c");
}

TEST(TrackJson, WhatIsNotKnownIsLeftOut) {
  const Picture picture{"cam1", 0, 0, std::nullopt, "2026-01-02T03:04:05Z"};
  TrackRegion detection = track();
  detection.state.reset();
  detection.confidence.reset();
  const Json json = tracks_of(picture, {detection});
  EXPECT_FALSE(json.contains("resolution"));
  EXPECT_FALSE(json.contains("timestamp"));
  const Json& object = json["objects"][0];
  EXPECT_FALSE(object.contains("id")) << "it is no track";
  EXPECT_FALSE(object.contains("cltrack"));
  EXPECT_EQ(object["detection"], Json::parse(R"({"label": "car"})"));
}

TEST(TrackJson, TakesWhateverRegionsSay) {
  TrackRegion region = track();
  region.label = "\xff\xfe";
  region.confidence = std::numeric_limits<float>::quiet_NaN();
  region.box = {4e9f, 4e9f, 4e9f, 4e9f};
  const Json json = tracks_of(kPicture, {region});
  EXPECT_EQ(json["objects"][0]["roi_type"], "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_FALSE(json["objects"][0]["detection"].contains("confidence"));
}

TEST(TrackJson, AnEmptyPictureHasNoObjects) {
  EXPECT_EQ(tracks_of(kPicture, {})["objects"], Json::array());
}

TEST(TrackJson, SaysWhatHasChanged) {
  TrackRegion lost = track();
  lost.state = TrackState::lost;
  const TrackChange change{TrackChange::Kind::end, lost, TrackState::tracking, "removed"};
  const Json json = Json::parse(change_json(kPicture, change, kStamp));
  EXPECT_EQ(json["type"], "end");
  EXPECT_EQ(json["source"], "cam1");
  EXPECT_EQ(json["timestamp"], 1200000000);
  EXPECT_EQ(json["object"]["id"], 7);
  EXPECT_EQ(json["object"]["cltrack"]["state"], "lost");
  EXPECT_EQ(json["cltrack"], Json::parse(R"({"previous_state": "tracking", "reason": "removed",
                                             "run": "f00", "sequence": 17})"));
}

TEST(TrackJson, NamesTheKindsOfChanges) {
  const auto type_of = [](TrackChange::Kind kind) {
    return Json::parse(change_json(kPicture, {kind, track(), std::nullopt}, kStamp))["type"];
  };
  EXPECT_EQ(type_of(TrackChange::Kind::begin), "new");
  EXPECT_EQ(type_of(TrackChange::Kind::update), "update");
}

TEST(TrackJson, AMarkIsOneFieldMore) {
  std::string text = tracks_json(kPicture, std::vector{track()}, kStamp);
  Json expected = Json::parse(text);
  expected["cltrack"]["again"] = true;
  mark_again(text);
  mark_again(text);
  EXPECT_EQ(Json::parse(text), expected);
}

}  // namespace
}  // namespace cltrack::gst
