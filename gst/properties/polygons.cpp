// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/polygons.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "cltrack/error.h"

namespace cltrack::gst {
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
