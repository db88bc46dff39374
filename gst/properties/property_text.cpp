// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/property_text.h"

#include <charconv>
#include <limits>

#include "cltrack/error.h"
#include "scoped.h"

namespace cltrack::gst {

std::optional<double> number_of(const GValue* value) {
  switch (G_VALUE_TYPE(value)) {
    case G_TYPE_INT:
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_FLOAT:
    case G_TYPE_DOUBLE:
      break;
    default:  // g_value_transform() would take truth values and characters for numbers, too
      return std::nullopt;
  }
  GValue number = G_VALUE_INIT;
  g_value_init(&number, G_TYPE_DOUBLE);
  g_value_transform(value, &number);
  return g_value_get_double(&number);
}

namespace {

using Text = Scoped<char, g_free>;

std::string serialized(const GValue* value) {
  const Text text(gst_value_serialize(value));
  return text ? text.get() : "";
}

// GStreamer knows these words, in any case, as integers. Who writes them is more likely than who
// writes the number.
std::string text_of_int(int number) {
  if (number == std::numeric_limits<int>::max()) return "max";
  if (number == std::numeric_limits<int>::min()) return "min";
  return std::to_string(number);
}

// The shortest text that is this number. What would have become an integer without a point had one.
template <typename Real>
std::string text_of_real(Real number) {
  char digits[64];
  const auto [end, error] = std::to_chars(digits, digits + sizeof digits, number);
  std::string text(digits, end);
  const bool could_be_int = number >= static_cast<Real>(std::numeric_limits<int>::min()) &&
                            number <= static_cast<Real>(std::numeric_limits<int>::max());
  if (could_be_int && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

std::string utf8_of(const GValue* value) {
  const char* text = g_value_get_string(value);
  if (text == nullptr) return {};
  return Text(g_utf8_make_valid(text, -1)).get();
}

std::optional<std::string> label_text(const GValue* value) {
  if (G_VALUE_HOLDS_STRING(value)) {
    const char* text = g_value_get_string(value);
    return text != nullptr ? text : "";
  }
  switch (G_VALUE_TYPE(value)) {
    case G_TYPE_INT:
      return text_of_int(g_value_get_int(value));
    case G_TYPE_FLOAT:
      return text_of_real(g_value_get_float(value));
    case G_TYPE_DOUBLE:
      return text_of_real(g_value_get_double(value));
    case G_TYPE_UINT:
    case G_TYPE_LONG:
    case G_TYPE_ULONG:
    case G_TYPE_INT64:
    case G_TYPE_UINT64:
    case G_TYPE_BOOLEAN:
      return serialized(value);
    default:
      break;
  }
  if (GST_VALUE_HOLDS_FRACTION(value) || GST_VALUE_HOLDS_FLAG_SET(value)) return serialized(value);
  return std::nullopt;
}

void check_label(const std::string& name, const std::string& label) {
  if (g_utf8_validate(label.data(), static_cast<gssize>(label.size()), nullptr)) return;
  const Text escaped(g_strescape(label.c_str(), nullptr));
  throw Error(ErrorCode::invalid_argument,
              name + ": \"" + escaped.get() + "\" is not valid UTF-8; write labels in UTF-8");
}

std::string parse_label(const char* name, const GValue* value) {
  const std::string label = label_text(value).value_or("");
  check_label(name, label);
  return label;
}

}  // namespace cltrack::gst
