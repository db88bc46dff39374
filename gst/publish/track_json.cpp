// SPDX-License-Identifier: LGPL-2.1-or-later
#include "publish/track_json.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <string_view>
#include <utility>

namespace cltrack::gst {
namespace {

// In the order in which they are written here, for people who read them.
using Json = nlohmann::ordered_json;

constexpr std::string_view kMark = R"(,"again":true)";
constexpr std::string_view kEnd = "}}";  // of "cltrack" and of the message

// Floats have no more digits than that; the rest is noise, and long.
double rounded(float value, double digits) {
  return std::round(static_cast<double>(value) * digits) / digits;
}

// JSON has no NaN. Regions of other elements may say anything.
bool is_number(float value) { return std::isfinite(value); }

Json bounding_box(const BoundingBox& box, const Picture& picture) {
  const auto width = static_cast<float>(picture.width);
  const auto height = static_cast<float>(picture.height);
  constexpr double kDigits = 1e6;
  return {{"x_min", rounded(box.x / width, kDigits)},
          {"x_max", rounded(box.right() / width, kDigits)},
          {"y_min", rounded(box.y / height, kDigits)},
          {"y_max", rounded(box.bottom() / height, kDigits)}};
}

Json detection(const TrackRegion& region, const Picture& picture) {
  Json json = Json::object();
  if (picture.width > 0 && picture.height > 0) {
    json["bounding_box"] = bounding_box(region.box, picture);
  }
  if (region.confidence && is_number(*region.confidence)) {
    json["confidence"] = rounded(*region.confidence, 1e4);
  }
  json["label"] = region.label;
  return json;
}

Json object(const TrackRegion& region, const Picture& picture) {
  Json json = {{"x", std::lround(region.box.x)},
               {"y", std::lround(region.box.y)},
               {"w", std::lround(region.box.width)},
               {"h", std::lround(region.box.height)},
               {"region_id", region.id}};
  if (region.state) json["id"] = region.id;
  json["roi_type"] = region.label;
  json["detection"] = detection(region, picture);
  if (!region.state) return json;
  Json own = Json::object();
  if (!region.tracker.empty()) own["tracker"] = region.tracker;
  own["state"] = to_string(*region.state);
  if (region.age) own["age"] = *region.age;
  json["cltrack"] = std::move(own);
  return json;
}

Json begin(const Picture& picture) {
  Json json = Json::object();
  if (picture.width > 0 && picture.height > 0) {
    json["resolution"] = {{"width", picture.width}, {"height", picture.height}};
  }
  json["source"] = picture.source;
  if (picture.stream_time) json["timestamp"] = *picture.stream_time;
  json["system_timestamp"] = picture.system_time;
  return json;
}

// Labels may be any bytes.
std::string finish(Json json, const Stamp& stamp) {
  json["cltrack"]["run"] = stamp.run;
  json["cltrack"]["sequence"] = stamp.sequence;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

const char* name_of(TrackChange::Kind kind) {
  switch (kind) {
    case TrackChange::Kind::begin:
      return "new";
    case TrackChange::Kind::update:
      return "update";
    case TrackChange::Kind::end:
      return "end";
  }
  return "";
}

}  // namespace

std::string tracks_json(const Picture& picture, std::span<const TrackRegion> regions,
                        const Stamp& stamp) {
  Json json = begin(picture);
  json["tags"] = Json::object();
  json["objects"] = Json::array();
  for (const TrackRegion& region : regions) json["objects"].push_back(object(region, picture));
  return finish(std::move(json), stamp);
}

std::string change_json(const Picture& picture, const TrackChange& change, const Stamp& stamp) {
  Json json = {{"type", name_of(change.kind)}};
  json.update(begin(picture));
  json["object"] = object(change.track, picture);
  json["cltrack"] = Json::object();
  if (change.before) json["cltrack"]["previous_state"] = to_string(*change.before);
  if (!change.reason.empty()) json["cltrack"]["reason"] = change.reason;
  return finish(std::move(json), stamp);
}

std::string zone_json(const Picture& picture, const std::string& element, const ZoneReport& report,
                      const Stamp& stamp) {
  using Kind = ZoneEvent::Kind;
  const ZoneEvent& event = report.event;
  const bool is_of_track = event.kind != Kind::count && event.kind != Kind::crowded;
  Json json = {{"type", to_string(event.kind)}, {"zone", event.zone}};
  if (event.kind == Kind::cross) json["direction"] = event.forward ? "forward" : "backward";
  if (event.kind != Kind::cross) json["inside"] = event.inside;
  if (event.kind == Kind::leave || event.kind == Kind::dwell) json["dwell"] = event.dwell;
  if (!report.picture.empty()) json["picture"] = report.picture;
  Picture then = picture;
  then.stream_time.reset();
  if (GST_CLOCK_TIME_IS_VALID(report.times.stream_time)) {
    then.stream_time = report.times.stream_time;
  }
  json.update(begin(then));
  Json own = {{"element", element}, {"delay", report.delay}};
  if (is_of_track) {
    TrackRegion region;
    region.id = region_id(event.id);
    region.label = event.label;
    region.box = event.box;
    if (event.confidence > 0) region.confidence = event.confidence;
    json["object"] = object(region, picture);
    json["object"]["id"] = region.id;
    if (!report.tracker.empty()) own["tracker"] = report.tracker;
    if (event.after != 0) own["after"] = region_id(event.after);
  }
  if (!event.reason.empty()) own["reason"] = event.reason;
  json["cltrack"] = std::move(own);
  return finish(std::move(json), stamp);
}

void mark_again(std::string& json) {
  const std::size_t marked = kMark.size() + kEnd.size();
  if (json.size() < kEnd.size()) return;
  if (json.size() >= marked && json.compare(json.size() - marked, kMark.size(), kMark) == 0) return;
  json.insert(json.size() - kEnd.size(), kMark);
}

}  // namespace cltrack::gst
