// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/overlay_text_properties.h"

#include <charconv>
#include <limits>

#include "cltrack/error.h"
#include "scoped.h"

namespace cltrack::gst {
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

namespace {

enum TextProperty : guint {
  kFont,
  kFontSize,
  kShowLabel,
  kShowId,
  kShowConfidence,
  kShowState,
  kLabelTemplate,
};
static_assert(kLabelTemplate + 1 == kOverlayTextProperties);

constexpr GParamFlags kPlaying = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_STRINGS} | int{GST_PARAM_MUTABLE_PLAYING});

// What is not UTF-8 could not even be named in a warning.
std::string valid_utf8(const char* text) {
  const Scoped<char, g_free> valid(g_utf8_make_valid(text, -1));
  return valid.get();
}

void install_switch(GObjectClass* klass, guint id, const char* name, const char* nick,
                    const char* blurb, bool initial) {
  g_object_class_install_property(klass, id,
                                  g_param_spec_boolean(name, nick, blurb, initial, kPlaying));
}

void install_font_properties(GObjectClass* klass, guint first, const OverlayStyle& defaults) {
  /**
   * GstTrackOverlay:font:
   *
   * Font of the tags as Pango describes fonts: families, styles, size, as in "Sans Bold" or
   * "DejaVu Sans Mono, 14". Where no such family is installed a warning is posted and the closest
   * one is taken.
   */
  g_object_class_install_property(
      klass, first + kFont,
      g_param_spec_string("font", "Font",
                          "Font of the tags (Pango font description, e.g. \"Sans Bold\")",
                          defaults.font.c_str(), kPlaying));
  /**
   * GstTrackOverlay:font-size:
   *
   * Size of the font in pixels. 0: the size in #GstTrackOverlay:font, or a 40th of the picture's
   * height, but at least 11, if there is none. Less than 4 counts as 4.
   */
  g_object_class_install_property(
      klass, first + kFontSize,
      g_param_spec_uint("font-size", "Font size",
                        "Size of the font in pixels (0 = as in font, or else scaled with the "
                        "picture's height)",
                        0, kMaxFontSize, defaults.font_size, kPlaying));
}

}  // namespace

void install_overlay_text_properties(GObjectClass* klass, guint first) {
  const OverlayStyle defaults;
  install_font_properties(klass, first, defaults);
  install_switch(klass, first + kShowLabel, "show-label", "Show label", "Show the label in the tag",
                 defaults.show_label);
  install_switch(klass, first + kShowId, "show-id", "Show id", "Show the id in the tag",
                 defaults.show_id);
  install_switch(klass, first + kShowConfidence, "show-confidence", "Show confidence",
                 "Show the confidence, if there is one, in the tag", defaults.show_confidence);
  /**
   * GstTrackOverlay:show-state:
   *
   * Spell out the state in the tag unless it is "tracking". Whether it is shown or not, lines are
   * solid for "tracking", dashed for "uncertain", dotted and grey for "lost".
   */
  install_switch(klass, first + kShowState, "show-state", "Show state",
                 "Show the state in the tag unless it is \"tracking\"", defaults.show_state);
  /**
   * GstTrackOverlay:label-template:
   *
   * Text of the tags, in place of what the properties show-label to show-state say, unless it is
   * empty: "{label} #{id} {confidence}%". Fields are {label}, {id}, {state}, {confidence} (0 to
   * 100), {age} (frames), {x}, {y}, {width}, {height} (pixels), {tracker} and {algorithm}; a "-"
   * stands for what is not known of a region. Braces are written as {{ and }}. Markup is not
   * interpreted. Of a text with anything else in braces, or of more than 1024 bytes, a warning
   * tells with the next picture, and the one before it stays.
   */
  g_object_class_install_property(
      klass, first + kLabelTemplate,
      g_param_spec_string("label-template", "Label template",
                          "Text of the tags with {label}, {id}, {state}, {confidence}, {age}, {x}, "
                          "{y}, {width}, {height}, {tracker}, {algorithm} (empty = as show-label "
                          "to show-state say)",
                          "", kPlaying));
}

bool set_overlay_text_property(OverlayStyle& style, guint id, guint first, const GValue* value) {
  switch (id - first) {
    case kFont: {
      const char* font = g_value_get_string(value);
      style.font = font != nullptr ? valid_utf8(font) : OverlayStyle{}.font;
      return true;
    }
    case kFontSize:
      style.font_size = g_value_get_uint(value);
      return true;
    case kShowLabel:
      style.show_label = g_value_get_boolean(value);
      return true;
    case kShowId:
      style.show_id = g_value_get_boolean(value);
      return true;
    case kShowConfidence:
      style.show_confidence = g_value_get_boolean(value);
      return true;
    case kShowState:
      style.show_state = g_value_get_boolean(value);
      return true;
    case kLabelTemplate:
      style.label_template = LabelTemplate(string_of(value));
      return true;
    default:
      return false;
  }
}

bool get_overlay_text_property(const OverlayStyle& style, guint id, guint first, GValue* value) {
  switch (id - first) {
    case kFont:
      g_value_set_string(value, style.font.c_str());
      return true;
    case kFontSize:
      g_value_set_uint(value, style.font_size);
      return true;
    case kShowLabel:
      g_value_set_boolean(value, style.show_label);
      return true;
    case kShowId:
      g_value_set_boolean(value, style.show_id);
      return true;
    case kShowConfidence:
      g_value_set_boolean(value, style.show_confidence);
      return true;
    case kShowState:
      g_value_set_boolean(value, style.show_state);
      return true;
    case kLabelTemplate:
      g_value_set_string(value, style.label_template.text().c_str());
      return true;
    default:
      return false;
  }
}

}  // namespace cltrack::gst
