// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_zones.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

std::vector<Zone> read(const std::string& json) {
  try {
    return parse_zones(json);
  } catch (const Error&) {
    return {};  // of some other element, or damaged
  }
}

std::string text_of(const Zone& zone, const ZoneNews& news, std::size_t number) {
  if (number >= news.totals.size()) return zone.name;
  const ZoneTotals& totals = news.totals[number];
  if (zone.kind == ZoneKind::area) return zone.name + " " + std::to_string(news.inside[number]);
  return zone.name + " +" + std::to_string(totals.forward) + " -" + std::to_string(totals.backward);
}

}  // namespace

std::vector<ZoneMark> ZoneMarks::of(std::span<const ZoneNews> news, int width, int height) {
  std::vector<ZoneMark> marks;
  for (const ZoneNews& of : news) {
    if (!zones_.contains(of.zones)) {
      if (zones_.size() >= kMostTexts) zones_.clear();
      zones_[of.zones] = read(of.zones);
    }
    if (of.width <= 0 || of.height <= 0) continue;
    const std::vector<Zone>& zones = zones_[of.zones];
    for (std::size_t i = 0; i < zones.size(); ++i) {
      const Zone& zone = zones[i];
      // Zones in pixels are of pictures of the size that the element upstream has seen.
      const auto x = static_cast<float>(width) / static_cast<float>(zone.in_pixels ? of.width : 1);
      const auto y =
          static_cast<float>(height) / static_cast<float>(zone.in_pixels ? of.height : 1);
      ZoneMark& mark = marks.emplace_back();
      for (const RelativePoint& corner : zone.corners) {
        mark.outline.push_back({corner.x * x - 0.5f, corner.y * y - 0.5f});
      }
      mark.has_arrow = zone.kind == ZoneKind::line;
      if (!mark.has_arrow) mark.outline.push_back(mark.outline.front());
      mark.text = text_of(zone, of, i);
    }
  }
  return marks;
}

std::vector<TrailStroke> zone_arrow(std::span<const TrackPoint> line, int line_width) {
  float length = 0;
  const auto edge = [&](std::size_t i) {
    return TrackPoint{line[i].x - line[i - 1].x, line[i].y - line[i - 1].y};
  };
  for (std::size_t i = 1; i < line.size(); ++i) length += std::hypot(edge(i).x, edge(i).y);
  float left = length / 2;
  for (std::size_t i = 1; i < line.size(); ++i) {
    const TrackPoint along = edge(i);
    const float size = std::hypot(along.x, along.y);
    if (size <= 0) continue;
    if (left > size && i + 1 < line.size()) {
      left -= size;
      continue;
    }
    const float share = std::min(left / size, 1.0f);
    const TrackPoint from = {line[i - 1].x + share * along.x, line[i - 1].y + share * along.y};
    // To the right, where y goes down.
    const TrackPoint forward = {-along.y / size, along.x / size};
    const auto at = [&](float ahead, float aside) {
      const float unit = static_cast<float>(4 * line_width + 4);
      return TrackPoint{from.x + unit * (ahead * forward.x + aside * forward.y),
                        from.y + unit * (ahead * forward.y - aside * forward.x)};
    };
    return {{1, {from, at(3, 0)}}, {1, {at(2, 1), at(3, 0), at(2, -1)}}};
  }
  return {};
}

}  // namespace cltrack::gst
