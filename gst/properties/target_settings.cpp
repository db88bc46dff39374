// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_settings.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "properties/property_text.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

constexpr guint kNumbers = 4;

std::string to_text(const GValue* value) {
  if (GST_VALUE_HOLDS_ARRAY(value)) {
    std::string text = "<";
    for (guint i = 0; i < gst_value_array_get_size(value); ++i) {
      if (i > 0) text += ", ";
      text += to_text(gst_value_array_get_value(value, i));
    }
    return text + ">";
  }
  if (G_VALUE_HOLDS_STRING(value) && g_value_get_string(value) == nullptr) return "NULL";
  const Scoped<char, g_free> text(gst_value_serialize(value));
  return text ? text.get() : G_VALUE_TYPE_NAME(value);
}

[[noreturn]] void refuse(const GValue* target, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument,
              "targets: " + to_text(target) + " is not a target: " + reason +
                  ". Write <<x, y, width, height>, <x, y, width, height, \"label\">, ...> with "
                  "finite numbers of pixels, width and height greater than 0");
}

Target parse_target(const GValue* value) {
  if (!GST_VALUE_HOLDS_ARRAY(value)) refuse(value, "it is a single value");
  const guint size = gst_value_array_get_size(value);
  if (size != kNumbers && size != kNumbers + 1) {
    refuse(value, "it has " + std::to_string(size) + " values");
  }
  float numbers[kNumbers];
  for (guint i = 0; i < kNumbers; ++i) {
    const GValue* entry = gst_value_array_get_value(value, i);
    const std::optional<double> number = number_of(entry);
    if (!number) refuse(value, to_text(entry) + " is not a number");
    numbers[i] = static_cast<float>(*number);
    if (!std::isfinite(numbers[i])) refuse(value, to_text(entry) + " is not finite");
  }
  Target target{{numbers[0], numbers[1], numbers[2], numbers[3]}, {}};
  if (!target.box.is_valid()) refuse(value, "width or height is not greater than 0");

  if (size == kNumbers) return target;
  const GValue* label = gst_value_array_get_value(value, kNumbers);
  std::optional<std::string> text = label_text(label);
  if (!text) {
    refuse(value, "its label " + to_text(label) + " is not a string; write (string)\"...\"");
  }
  check_label("targets: label", *text);
  target.label = *std::move(text);
  return target;
}

// With its type: without, 50 would come back as a number.
std::string typed(const std::string& label) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_STRING);
  g_value_set_static_string(&value, label.c_str());
  std::string text = to_text(&value);
  if (text.empty() || text.front() != '"') text = '"' + text + '"';
  return "(string)" + text;
}

}  // namespace

std::vector<Target> parse_targets(const GValue* value) {
  std::vector<Target> targets;
  const guint size = gst_value_array_get_size(value);
  for (guint i = 0; i < size; ++i) {
    targets.push_back(parse_target(gst_value_array_get_value(value, i)));
  }
  return targets;
}

// Code may append values of one type only to an array, so a number and a label get there as text.
void write_targets(std::span<const Target> targets, GValue* value) {
  std::ostringstream text;
  text.imbue(std::locale::classic());
  text.precision(std::numeric_limits<float>::max_digits10);
  text << "<";
  const char* separator = "";
  for (const Target& target : targets) {
    text << separator << "<(double)" << target.box.x << ",(double)" << target.box.y << ",(double)"
         << target.box.width << ",(double)" << target.box.height;
    if (!target.label.empty()) text << "," << typed(target.label);
    text << ">";
    separator = ",";
  }
  text << ">";
  std::string copy = text.str();  // GStreamer writes into the text while it reads it
  gst_value_deserialize(value, copy.data());
}

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

void TargetSettings::set_initial(InitialBox which, unsigned value) {
  initial_[static_cast<std::size_t>(which)] = value;
  initial_set_ = true;
  changed_ = true;
}

void TargetSettings::check_count(std::size_t count) const {
  if (!most_) return;
  const std::size_t all = count + static_cast<std::size_t>(others_);
  if (all <= static_cast<std::size_t>(*most_)) return;
  throw Error(ErrorCode::invalid_argument,
              "targets: " + std::to_string(all) + " are set, but max-targets allows " +
                  std::to_string(*most_) +
                  ": set fewer, or set max-targets before the start; each target costs time on "
                  "every frame");
}

void TargetSettings::limit(int most, int others) {
  most_ = most;
  others_ = others;
  check_count(committed_.size());
}

void TargetSettings::set_targets(std::vector<Target> targets) {
  check_count(targets.size() + (initial_target() ? 1 : 0));
  targets_ = std::move(targets);
  changed_ = true;
}

std::optional<Target> TargetSettings::initial_target() const {
  if (!initial_set_ || initial_ == decltype(initial_){}) return std::nullopt;
  return Target{{static_cast<float>(initial_[0]), static_cast<float>(initial_[1]),
                 static_cast<float>(initial_[2]), static_cast<float>(initial_[3])},
                {}};
}

void TargetSettings::commit() {
  if (!changed_) return;
  changed_ = false;
  auto first = initial_target();
  check_count(targets_.size() + (first ? 1 : 0));
  committed_ = targets_;
  if (first) committed_.insert(committed_.begin(), *std::move(first));
  ++generation_;
}

namespace {

constexpr std::string_view kBlanks = " \t\n";

[[noreturn]] void refuse(const char* property, std::string_view text, const std::string& reason) {
  throw Error(ErrorCode::invalid_argument,
              std::string(property) + ": \"" + std::string(text) + "\" " + reason +
                  "; write polygons as 0.1,0.2 0.9,0.2 0.5,0.8 with numbers from 0 to 1 "
                  "(parts of the picture's width and height), a semicolon between two of them");
}

// Cuts off what is in front of a separator, and the separator itself.
std::string_view take(std::string_view& text, std::string_view separators) {
  const std::size_t end = std::min(text.find_first_of(separators), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

std::optional<float> parse_fraction(std::string_view text) {
  float value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

Polygon parse_polygon(const char* property, std::string_view text) {
  Polygon polygon;
  while (!text.empty()) {
    const std::string_view point = take(text, kBlanks);
    if (point.empty()) continue;
    std::string_view rest = point;
    const std::optional<float> x = parse_fraction(take(rest, ","));
    const std::optional<float> y = parse_fraction(rest);
    if (!x || !y) refuse(property, point, "is not a point");
    polygon.push_back({*x, *y});
  }
  return polygon;
}

}  // namespace

std::vector<Polygon> parse_polygons(const char* property, std::string_view text) {
  std::vector<Polygon> polygons;
  while (!text.empty()) {
    const std::string_view part = take(text, ";");
    const Polygon polygon = parse_polygon(property, part);
    if (polygon.empty()) continue;
    if (polygon.size() < 3) refuse(property, part, "has fewer than three points");
    polygons.push_back(polygon);
  }
  return polygons;
}

std::string polygons_text(const std::vector<Polygon>& polygons) {
  std::string text;
  const auto write = [&](float number) {
    char digits[32];
    text.append(digits, std::to_chars(digits, digits + sizeof digits, number).ptr);
  };
  for (const Polygon& polygon : polygons) {
    if (!text.empty()) text += "; ";
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      if (i > 0) text += ' ';
      write(polygon[i].x);
      text += ',';
      write(polygon[i].y);
    }
  }
  return text;
}

}  // namespace cltrack::gst
