// SPDX-License-Identifier: LGPL-2.1-or-later
#include "overlay/overlay_style.h"

#include <glib.h>

#include <algorithm>
#include <cmath>

#include "cltrack/error.h"

namespace cltrack::gst {
namespace {

constexpr double kGoldenRatio = 0.61803398874989485;
constexpr double kSaturation = 0.85;
// Between the ids of one tracker and the next: few have more.
constexpr double kIdsApart = 16;

// The colour wheel at full value; `hue` from 0 to 1 (not included).
Color color_of_hue(double hue) {
  const double position = hue * 6;
  const int sector = static_cast<int>(position);
  const double rising = 1 - kSaturation * (1 - (position - sector));
  const double falling = 1 - kSaturation * (position - sector);
  const double least = 1 - kSaturation;
  switch (sector) {
    case 0:
      return {1, rising, least};
    case 1:
      return {falling, 1, least};
    case 2:
      return {least, 1, rising};
    case 3:
      return {least, falling, 1};
    case 4:
      return {rising, least, 1};
    default:
      return {1, least, falling};
  }
}

}  // namespace

Color color_from_argb(std::uint32_t argb) {
  const auto component = [argb](int shift) { return ((argb >> shift) & 0xff) / 255.0; };
  const double alpha = component(24);
  return {component(16), component(8), component(0), alpha > 0 ? alpha : 1};
}

Color color_of_id(int id, std::size_t tracker) {
  // Steps of the golden ratio never come back and leave no two of any few neighbours close
  // together. The first id, 1, is to be green, which stands out from most scenes.
  const double number = static_cast<double>(id) - 1 + kIdsApart * static_cast<double>(tracker);
  const double turns = number * kGoldenRatio + 1.0 / 3;
  return color_of_hue(turns - std::floor(turns));
}

Color lost_color() { return {0.7, 0.7, 0.7}; }

Color text_color_on(const Color& background) {
  // Luma as BT.601 weighs it; the limit lies below the middle because white on a saturated colour
  // reads worse than black does.
  const double luma = 0.299 * background.red + 0.587 * background.green + 0.114 * background.blue;
  return luma > 0.45 ? Color{0, 0, 0} : Color{1, 1, 1};
}

namespace {

constexpr const char* kUnknown = "-";

std::string whole_number(float value) {
  return std::isfinite(value) ? std::to_string(std::llround(value)) : kUnknown;
}

std::string text_or_unknown(const std::string& text) { return text.empty() ? kUnknown : text; }

std::string confidence_of(const TrackRegion& region) {
  const bool is_known = region.confidence && region.state != TrackState::lost;
  return is_known ? whole_number(100 * std::clamp(*region.confidence, 0.0f, 1.0f)) : kUnknown;
}

struct NamedField {
  std::string_view name;
  std::string (*value)(const TrackRegion& region);
};

constexpr NamedField kFields[] = {
    {"label", [](const TrackRegion& r) { return text_or_unknown(r.label); }},
    {"id", [](const TrackRegion& r) { return std::to_string(r.id); }},
    {"state",
     [](const TrackRegion& r) { return std::string(r.state ? to_string(*r.state) : "-"); }},
    {"confidence", confidence_of},
    {"age", [](const TrackRegion& r) { return r.age ? std::to_string(*r.age) : kUnknown; }},
    {"x", [](const TrackRegion& r) { return whole_number(r.box.x); }},
    {"y", [](const TrackRegion& r) { return whole_number(r.box.y); }},
    {"width", [](const TrackRegion& r) { return whole_number(r.box.width); }},
    {"height", [](const TrackRegion& r) { return whole_number(r.box.height); }},
    {"tracker", [](const TrackRegion& r) { return text_or_unknown(r.tracker); }},
    {"algorithm", [](const TrackRegion& r) { return text_or_unknown(r.algorithm); }},
};

// `what` may be long.
[[noreturn]] void refuse(std::string_view what, const char* reason) {
  constexpr std::size_t kMostShown = 40;
  std::string message = "label-template: \"";
  message += what.substr(0, kMostShown);
  message += what.size() > kMostShown ? "…\" " : "\" ";
  message += reason;
  message += "; allowed are text and the fields";
  for (const NamedField& field : kFields) {
    message += " {";
    message += field.name;
    message += '}';
  }
  throw Error(ErrorCode::invalid_argument, message + ", {{ and }} for braces");
}

}  // namespace

LabelTemplate::Field LabelTemplate::find_field(std::string_view name) {
  const auto found = std::find_if(std::begin(kFields), std::end(kFields),
                                  [name](const NamedField& field) { return field.name == name; });
  return found != std::end(kFields) ? found->value : nullptr;
}

LabelTemplate::LabelTemplate(std::string_view text) : text_(text) {
  if (text.size() > kMostBytes) refuse(text, "has more than 1024 bytes");
  if (!g_utf8_validate(text.data(), static_cast<gssize>(text.size()), nullptr)) {
    refuse(text, "is not valid UTF-8");
  }
  std::string plain;
  while (!text.empty()) {
    const char first = text.front();
    if (text.starts_with("{{") || text.starts_with("}}")) {
      plain += first;
      text.remove_prefix(2);
    } else if (first == '{') {
      const std::size_t end = text.find('}');
      if (end == std::string_view::npos) refuse(text, "has no closing brace");
      const std::string_view whole = text.substr(0, end + 1);
      const Field field = find_field(whole.substr(1, end - 1));
      if (field == nullptr) refuse(whole, "is no field");
      parts_.push_back({std::move(plain), field});
      plain.clear();
      text.remove_prefix(end + 1);
    } else if (first == '}') {
      refuse(text, "has no opening brace");
    } else {
      plain += first;
      text.remove_prefix(1);
    }
  }
  if (!plain.empty()) parts_.push_back({std::move(plain)});
}

std::string LabelTemplate::fill(const TrackRegion& region) const {
  std::string filled;
  for (const Part& part : parts_) {
    filled += part.text;
    if (part.field != nullptr) filled += part.field(region);
  }
  return filled;
}

}  // namespace cltrack::gst
