// SPDX-License-Identifier: LGPL-2.1-or-later
#include "zones/zone_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "cltrack/error.h"
#include "cltrack/zones.h"
#include "core/json_fields.h"

namespace cltrack {
namespace {

using Json = nlohmann::ordered_json;
using json::refuse;

constexpr double kSecond = 1e9;             // ns
constexpr double kMostSeconds = 1e6;        // of a dwell time
constexpr double kMostTracks = 1e6;         // of a crowd limit
constexpr std::size_t kMostLabels = 1000;   // of a zone
constexpr double kMostCount = 1ULL << 53U;  // of totals: what every reader of JSON can hold

const char* to_string(ZoneKind kind) { return kind == ZoneKind::area ? "area" : "line"; }

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * kSecond); }

// In quotes, and not all of it. A zero byte would end the message.
std::string in_quotes(std::string_view text) {
  constexpr std::size_t kShown = 40;
  std::string shown(text.substr(0, kShown));
  std::ranges::replace(shown, '\0', '?');
  return "\"" + shown + (text.size() > kShown ? "...\"" : "\"");
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

// Takes what is before the first of `ends` off the text, and that with it.
std::string_view take(std::string_view& text, std::string_view ends) {
  const std::size_t end = text.find_first_of(ends);
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

std::optional<double> number_of(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

// The number with the fewest digits that is this float.
double shortest(float number) {
  char digits[64];
  return number_of({digits, std::to_chars(digits, digits + sizeof digits, number).ptr}).value();
}

double setting(std::string_view name, std::string_view text, double most) {
  const auto value = number_of(text);
  if (value && *value >= 0 && *value <= most) return *value;
  refuse(std::string(name) + " is " + in_quotes(text) + "; allowed: a number from 0 to " +
         std::to_string(std::llround(most)));
}

void set(Zone& zone, std::string_view name, std::string_view value) {
  if (name == "dwell") {
    zone.dwell_time = nanoseconds(setting(name, value, kMostSeconds));
  } else if (name == "crowd") {
    zone.crowd_limit = static_cast<int>(setting(name, value, kMostTracks));
  } else if (name == "label") {
    zone.labels.emplace_back(value);
  } else {
    refuse("there is no " + in_quotes(name) + "; allowed: dwell, crowd, label");
  }
}

// A word of a zone's text.
void add_word(Zone& zone, std::string_view word) {
  if (word == "pixels") {
    zone.in_pixels = true;
    return;
  }
  if (const std::size_t equals = word.find('='); equals != std::string_view::npos) {
    return set(zone, word.substr(0, equals), word.substr(equals + 1));
  }
  const std::size_t comma = word.find(',');
  const auto x = number_of(word.substr(0, comma));
  const auto y = comma != std::string_view::npos ? number_of(word.substr(comma + 1)) : std::nullopt;
  if (!x || !y) refuse(in_quotes(word) + " is no corner; write X,Y as in 0.5,0.25");
  zone.corners.push_back({static_cast<float>(*x), static_cast<float>(*y)});
}

Zone zone_of(std::string_view text) {
  Zone zone;
  if (text.find(':') == std::string_view::npos) {
    refuse(in_quotes(text) + " has no name; write NAME: area X,Y X,Y X,Y or NAME: line X,Y X,Y");
  }
  zone.name = trimmed(take(text, ":"));
  try {
    text = trimmed(text);
    const std::string_view kind = take(text, " \t\r\n");
    if (kind != "area" && kind != "line") {
      refuse("its kind is " + in_quotes(kind) + "; allowed: area, line");
    }
    zone.kind = kind == "area" ? ZoneKind::area : ZoneKind::line;
    while (!text.empty()) {
      if (const std::string_view word = take(text, " \t\r\n"); !word.empty()) add_word(zone, word);
    }
  } catch (const Error& error) {
    refuse("zone " + in_quotes(zone.name) + ": " + error.what());
  }
  return zone;
}

std::string text_field(const nlohmann::json& json, const char* name) {
  const nlohmann::json& value = json::field(json, name);
  if (!value.is_string()) refuse(std::string(name) + " is not a text");
  return value.get<std::string>();
}

void set_corners(Zone& zone, const nlohmann::json& json) {
  for (const nlohmann::json& corner : json::list(json, to_string(zone.kind), Zone::kMostCorners)) {
    if (!corner.is_array() || corner.size() != 2) {
      refuse("corner " + std::to_string(zone.corners.size() + 1) + " is not a list of two numbers");
    }
    const auto number = [&](std::size_t i) {
      return static_cast<float>(json::number(corner[i], "a corner", 0, Zone::kMostPixels));
    };
    zone.corners.push_back({number(0), number(1)});
  }
}

Zone zone_of(const nlohmann::json& json) {
  Zone zone;
  if (!json.is_object()) refuse("it is not an object with name, and area or line");
  for (const auto& [name, value] : json.items()) {
    if (name == "area" || name == "line") {
      if (!zone.corners.empty()) refuse("it has area and line; one is allowed");
      zone.kind = name == "area" ? ZoneKind::area : ZoneKind::line;
      set_corners(zone, json);
    } else if (name == "units") {
      const std::string units = text_field(json, "units");
      if (units != "pixels" && units != "fractions") {
        refuse("units is " + in_quotes(units) + "; allowed: pixels, fractions");
      }
      zone.in_pixels = units == "pixels";
    } else if (name == "labels") {
      for (const nlohmann::json& label : json::list(json, "labels", kMostLabels)) {
        if (!label.is_string()) refuse("labels has what is not a text");
        zone.labels.push_back(label.get<std::string>());
      }
    } else if (name == "dwell") {
      zone.dwell_time = nanoseconds(json::number(value, name, 0, kMostSeconds));
    } else if (name == "crowd") {
      zone.crowd_limit = static_cast<int>(json::number(value, name, 0, kMostTracks));
    } else if (name != "name") {
      refuse("there is no " + in_quotes(name) +
             "; allowed: name, area, line, units, labels, dwell, crowd");
    }
  }
  zone.name = text_field(json, "name");
  return zone;
}

nlohmann::json parse(std::string_view text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    refuse(std::string("it is not JSON: ") + error.what());
  }
}

// The entries of a list of that name, each by `read`, with its number in what is thrown.
template <typename T, typename Read>
std::vector<T> read_list(std::string_view text, const char* name, Read read) {
  const nlohmann::json json = parse(text);
  if (!json.is_object()) refuse(std::string("it is not an object with ") + name);
  std::vector<T> entries;
  for (const nlohmann::json& entry : json::list(json, name, Zone::kMostZones)) {
    try {
      entries.push_back(read(entry));
    } catch (const Error& error) {
      refuse(std::string(name) + ", entry " + std::to_string(entries.size() + 1) + ": " +
             error.what());
    }
  }
  return entries;
}

}  // namespace

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(Json(text).dump());
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::vector<Zone> parse_zones(std::string_view text) {
  text = trimmed(text);
  std::vector<Zone> zones;
  if (text.starts_with('{')) {
    zones =
        read_list<Zone>(text, "zones", [](const nlohmann::json& json) { return zone_of(json); });
  } else {
    while (!text.empty()) {
      if (const std::string_view zone = trimmed(take(text, ";")); !zone.empty()) {
        zones.push_back(zone_of(zone));
      }
    }
  }
  validate(zones);
  return zones;
}

std::string zones_json(std::span<const Zone> zones) {
  Json list = Json::array();
  for (const Zone& zone : zones) {
    Json json = {{"name", zone.name}};
    Json& corners = json[to_string(zone.kind)] = Json::array();
    for (const RelativePoint& corner : zone.corners) {
      corners.push_back(Json::array({shortest(corner.x), shortest(corner.y)}));
    }
    if (zone.in_pixels) json["units"] = "pixels";
    if (!zone.labels.empty()) json["labels"] = zone.labels;
    if (zone.dwell_time != 0) json["dwell"] = static_cast<double>(zone.dwell_time) / kSecond;
    if (zone.crowd_limit != 0) json["crowd"] = zone.crowd_limit;
    list.push_back(std::move(json));
  }
  return Json{{"zones", std::move(list)}}.dump(2) + "\n";
}

std::string totals_json(std::span<const ZoneTotals> totals) {
  Json list = Json::array();
  for (const ZoneTotals& total : totals) {
    Json json = {{"name", total.name}};
    for (const auto& [name, member] : kZoneCounts) json[name] = total.*member;
    list.push_back(std::move(json));
  }
  return Json{{"totals", std::move(list)}}.dump(2) + "\n";
}

std::vector<ZoneTotals> parse_totals(std::string_view text) {
  return read_list<ZoneTotals>(text, "totals", [](const nlohmann::json& json) {
    ZoneTotals total;
    total.name = text_field(json, "name");
    for (const auto& [name, member] : kZoneCounts) {
      total.*member =
          static_cast<std::uint64_t>(json::number(json::field(json, name), name, 0, kMostCount));
    }
    return total;
  });
}

}  // namespace cltrack
