// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/targets_json.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

using Json = nlohmann::json;

// More than targets need. What is nested deeper could take the stack where it is written into a
// message.
constexpr int kDeepest = 8;

constexpr const char* kSides[] = {"x", "y", "width", "height"};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument,
              "targets-json: " + what +
                  R"(. Write [{"x": 10, "y": 20, "width": 50, "height": 50, "label": "car"}, ...])"
                  " with finite numbers of pixels, width and height greater than 0; label may be "
                  "left out");
}

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Target parse_target(const Json& json) {
  if (!json.is_object()) refuse(text_of(json) + " is not an object");
  float sides[4];
  for (int i = 0; i < 4; ++i) {
    const auto side = json.find(kSides[i]);
    if (side == json.end()) refuse(text_of(json) + " has no " + kSides[i]);
    if (!side->is_number()) refuse(text_of(json) + ": " + kSides[i] + " is not a number");
    sides[i] = static_cast<float>(side->get<double>());
    if (!std::isfinite(sides[i])) refuse(text_of(json) + ": " + kSides[i] + " is not finite");
  }
  Target target{{sides[0], sides[1], sides[2], sides[3]}, {}};
  if (!target.box.is_valid()) {
    refuse(text_of(json) + ": width or height is not greater than 0");
  }
  std::size_t fields = 4;
  if (const auto label = json.find("label"); label != json.end()) {
    if (!label->is_string()) refuse(text_of(json) + ": label is not a string");
    target.label = label->get<std::string>();  // JSON is UTF-8
    ++fields;
  }
  if (json.size() != fields) refuse(text_of(json) + " has a field that targets do not have");
  return target;
}

}  // namespace

std::vector<Target> parse_targets_json(std::string_view text) {
  if (text.empty()) return {};
  Json json;
  try {
    json = Json::parse(text, [](int depth, Json::parse_event_t, const Json&) {
      if (depth > kDeepest) refuse("lists or objects are nested too deeply");
      return true;
    });
  } catch (const Json::exception& error) {
    refuse(std::string("not JSON: ") + error.what());
  }
  if (json.is_object()) return {parse_target(json)};
  if (!json.is_array()) refuse(text_of(json) + " is not a list");
  std::vector<Target> targets;
  for (const Json& one : json) targets.push_back(parse_target(one));
  return targets;
}

std::string targets_json(std::span<const Target> targets) {
  Json list = Json::array();
  for (const Target& target : targets) {
    const float sides[] = {target.box.x, target.box.y, target.box.width, target.box.height};
    Json one = Json::object();
    for (int i = 0; i < 4; ++i) one[kSides[i]] = sides[i];
    if (!target.label.empty()) one["label"] = target.label;
    list.push_back(one);
  }
  return text_of(list);
}

}  // namespace cltrack::gst
