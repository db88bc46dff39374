// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/target_list.h"

#include <cmath>
#include <limits>
#include <locale>
#include <optional>
#include <sstream>
#include <utility>

#include "cltrack/error.h"
#include "properties/label_text.h"
#include "properties/number.h"
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

}  // namespace cltrack::gst
