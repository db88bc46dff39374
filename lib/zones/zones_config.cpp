// SPDX-License-Identifier: LGPL-2.1-or-later
// What is allowed, and what the fields are.
#include <array>
#include <cctype>
#include <limits>
#include <set>

#include "cltrack/error.h"
#include "cltrack/zones.h"
#include "core/config_check.h"
#include "zones/zone_shape.h"
#include "zones/zone_text.h"

namespace cltrack {
namespace {

using Field = ConfigField<ZonesConfig>;
using Z = ZonesConfig;

template <auto... Members>
constexpr auto at = field_at<ZonesConfig, Members...>;

constexpr double kLongest = 1000.0 * 24 * 3600 * 1e9;  // ns; 1000 days

constexpr std::array kFields{
    Field{"anchor.x", at<&Z::anchor, &RelativePoint::x>, 0, 1, "",
          "Where in its box a track is, across (0 = left, 1 = right)", "anchor-x"},
    Field{"anchor.y", at<&Z::anchor, &RelativePoint::y>, 0, 1, "",
          "Where in its box a track is, down (0 = top, 1 = bottom)", "anchor-y"},
    Field{"margin", at<&Z::margin>, 0, 10, "",
          "How far beyond an edge a track has to be, in sides of its box", "margin"},
    Field{"confirm_frames", at<&Z::confirm_frames>, 1, 1000, "",
          "On how many pictures it has to be there", "confirm-frames"},
    Field{"confirm_time", at<&Z::confirm_time>, 0, kLongest, "ns",
          "For how long it has to be there as well", "confirm-time"},
    Field{"lost_time", at<&Z::lost_time>, 0, kLongest, "ns",
          "How long a lost track stays where it is", "lost-time"},
    Field{"takeover_time", at<&Z::takeover_time>, 0, kLongest, "ns",
          "How long after a loss a new track may take the place of the lost one; 0: none does",
          "takeover-time"},
    Field{"dwell_time", at<&Z::dwell_time>, 0, kLongest, "ns",
          "A longer stay in an area is told of; 0: none is", "dwell-time"},
    Field{"crowd_limit", at<&Z::crowd_limit>, 0, std::numeric_limits<int>::max(), "",
          "More tracks in an area are told of; 0: never", "crowd-limit"},
};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

void check_text(const std::string& text) {
  if (!is_utf8(text)) refuse("a name or a label of it is not valid UTF-8");
}

// Names become topics of messages and fields of structures, and words of text.
void check_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.';
  };
  for (const char c : name) {
    if (!is_allowed(c)) {
      refuse("its name has \"" + std::string(1, c) +
             "\"; allowed: letters, digits, and any of - _ .");
    }
  }
  check_text(name);
  if (name.empty() || name.size() > Zone::kLongestName) {
    refuse("its name has " + std::to_string(name.size()) + " bytes; allowed: 1 to " +
           std::to_string(Zone::kLongestName));
  }
}

void check_zone(const Zone& zone) {
  check_name(zone.name);
  check_corners(zone.corners, zone.kind, zone.in_pixels);
  for (const std::string& label : zone.labels) check_text(label);
  // As those of all zones are.
  ZonesConfig limits;
  limits.dwell_time = zone.dwell_time;
  limits.crowd_limit = zone.crowd_limit;
  check_config(limits, zones_fields(), "its limits");
  if (zone.kind == ZoneKind::line && (zone.dwell_time != 0 || zone.crowd_limit != 0)) {
    refuse("a line has no dwell time and no crowd limit; nobody is in it");
  }
}

}  // namespace

std::span<const ConfigField<ZonesConfig>> zones_fields() { return kFields; }

void validate(const ZonesConfig& config) { check_config(config, zones_fields(), "zones"); }

void validate(std::span<const Zone> zones) {
  if (zones.size() > Zone::kMostZones) {
    refuse(std::to_string(zones.size()) + " zones; allowed: up to " +
           std::to_string(Zone::kMostZones));
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    try {
      check_zone(zones[i]);
      if (!names.insert(zones[i].name).second) refuse("there are two of this name");
    } catch (const Error& error) {
      refuse("zone " + std::to_string(i + 1) + " (\"" + zones[i].name + "\"): " + error.what());
    }
  }
}

}  // namespace cltrack
