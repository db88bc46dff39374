// SPDX-License-Identifier: LGPL-2.1-or-later
// What is allowed.
#include <cctype>
#include <limits>
#include <set>
#include <sstream>

#include "cltrack/error.h"
#include "cltrack/zones.h"
#include "zones/zone_shape.h"
#include "zones/zone_text.h"

namespace cltrack {
namespace {

constexpr std::int64_t kLongest = 1000LL * 24 * 3600 * 1'000'000'000;  // ns; 1000 days

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorCode::invalid_argument, what);
}

template <typename T>
void check(const std::string& name, T value, T least, T most) {
  if (value >= least && value <= most) return;  // false for NaN
  std::ostringstream message;
  message << name << " is " << value << "; allowed: " << least << " to " << most;
  refuse(message.str());
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
  check<std::int64_t>("dwell time (ns)", zone.dwell_time, 0, kLongest);
  check("crowd limit", zone.crowd_limit, 0, std::numeric_limits<int>::max());
  if (zone.kind == ZoneKind::line && (zone.dwell_time != 0 || zone.crowd_limit != 0)) {
    refuse("a line has no dwell time and no crowd limit; nobody is in it");
  }
}

}  // namespace

void validate(const ZonesConfig& config) {
  const auto checked = [](const char* name, auto value, auto least, auto most) {
    check<decltype(value)>(std::string("zones: ") + name, value, least, most);
  };
  checked("anchor.x", config.anchor.x, 0.0f, 1.0f);
  checked("anchor.y", config.anchor.y, 0.0f, 1.0f);
  checked("margin", config.margin, 0.0f, 10.0f);
  checked("confirm_frames", config.confirm_frames, 1, 1000);
  checked("confirm_time", config.confirm_time, std::int64_t{0}, kLongest);
  checked("lost_time", config.lost_time, std::int64_t{0}, kLongest);
  checked("takeover_time", config.takeover_time, std::int64_t{0}, kLongest);
  checked("dwell_time", config.dwell_time, std::int64_t{0}, kLongest);
  checked("crowd_limit", config.crowd_limit, 0, std::numeric_limits<int>::max());
}

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
