// SPDX-License-Identifier: LGPL-2.1-or-later
#include "properties/color_settings.h"

#include <cmath>

#include "cltrack/error.h"
#include "ops/color/color_sums.h"
#include "properties/device_settings.h"
#include "scoped.h"

namespace cltrack::gst {
namespace {

using Structure = Scoped<GstStructure, gst_structure_free>;

[[noreturn]] void refuse(const std::string& entry, const std::string& what) {
  throw Error(ErrorCode::invalid_argument,
              "colors: \"" + entry + "\": " + what +
                  "; allowed: \"hsv, hue-min=, hue-max=, saturation-min=, saturation-max=, "
                  "value-min=, value-max=\", \"rgb, red=, green=, blue=, tolerance=\", "
                  "\"box, x=, y=, width=, height=\", each with an optional label=");
}

std::string text_of(const GstStructure* structure) {
  gchar* text = gst_structure_to_string(structure);
  std::string result = text;
  g_free(text);
  // Without the semicolon that ends it.
  if (!result.empty() && result.back() == ';') result.pop_back();
  return result;
}

Structure structure_of(const GValue* value) {
  if (GST_VALUE_HOLDS_STRUCTURE(value)) {
    return Structure(gst_structure_copy(gst_value_get_structure(value)));
  }
  if (G_VALUE_HOLDS_STRING(value) && g_value_get_string(value) != nullptr) {
    Structure structure(gst_structure_from_string(g_value_get_string(value), nullptr));
    if (!structure) refuse(g_value_get_string(value), "is not a structure");
    return structure;
  }
  refuse(G_VALUE_TYPE_NAME(value), "is neither a structure nor a string");
}

// Reads the fields of a structure, and knows which ones were asked for.
class Fields {
 public:
  explicit Fields(const GstStructure* structure)
      : structure_(structure), text_(text_of(structure)) {}

  float number(const char* name, std::optional<float> fallback) {
    ++asked_;
    const GValue* value = gst_structure_get_value(structure_, name);
    if (value == nullptr) {
      if (!fallback) refuse(text_, std::string(name) + " is missing");
      ++absent_;
      return *fallback;
    }
    GValue number = G_VALUE_INIT;
    g_value_init(&number, G_TYPE_DOUBLE);
    const bool is_number = !G_VALUE_HOLDS_STRING(value) && g_value_transform(value, &number);
    const double result = is_number ? g_value_get_double(&number) : NAN;
    g_value_unset(&number);
    if (!std::isfinite(result)) refuse(text_, std::string(name) + " is not a number");
    return static_cast<float>(result);
  }
  int integer(const char* name, std::optional<float> fallback) {
    const float value = number(name, fallback);
    if (value != std::floor(value) || std::abs(value) > 1e6f) {
      refuse(text_, std::string(name) + " is not an integer");
    }
    return static_cast<int>(value);
  }
  std::string label() {
    ++asked_;
    const GValue* value = gst_structure_get_value(structure_, "label");
    if (value == nullptr) {
      ++absent_;
      return {};
    }
    const std::optional<std::string> label = label_text(value);
    if (!label) refuse(text_, "label is not a string");
    check_label("colors: label", *label);
    return *label;
  }
  void refuse_others() const {
    if (gst_structure_n_fields(structure_) > asked_ - absent_) {
      refuse(text_, "has a field that this kind of colour does not have");
    }
  }
  const std::string& text() const { return text_; }

 private:
  const GstStructure* structure_;
  std::string text_;
  int asked_ = 0;
  int absent_ = 0;
};

}  // namespace

ColorEntry parse_color(const GstStructure* structure) {
  Fields fields(structure);
  ColorEntry entry;
  entry.text = fields.text();
  entry.label = fields.label();
  if (gst_structure_has_name(structure, "hsv")) {
    entry.model = ColorModel({.hue_min = fields.number("hue-min", 0.0f),
                              .hue_max = fields.number("hue-max", 360.0f),
                              .saturation_min = fields.number("saturation-min", 0.0f),
                              .saturation_max = fields.number("saturation-max", 1.0f),
                              .value_min = fields.number("value-min", 0.0f),
                              .value_max = fields.number("value-max", 1.0f)});
  } else if (gst_structure_has_name(structure, "rgb")) {
    const int red = fields.integer("red", {});
    const int green = fields.integer("green", {});
    const int blue = fields.integer("blue", {});
    entry.model = ColorModel::near(red, green, blue, fields.integer("tolerance", 30.0f));
  } else if (gst_structure_has_name(structure, "box")) {
    entry.box.x = fields.number("x", {});
    entry.box.y = fields.number("y", {});
    entry.box.width = fields.number("width", {});
    entry.box.height = fields.number("height", {});
    if (!entry.box.is_valid()) refuse(entry.text, "has a side that is not greater than 0");
  } else {
    refuse(entry.text, std::string("is called ") + gst_structure_get_name(structure));
  }
  fields.refuse_others();
  return entry;
}

std::vector<ColorEntry> parse_colors(const GValue* value) {
  const guint count = gst_value_array_get_size(value);
  if (count > static_cast<guint>(kMaxColorObjects)) {
    throw Error(ErrorCode::invalid_argument, "colors: " + std::to_string(count) +
                                                 " entries; allowed: at most " +
                                                 std::to_string(kMaxColorObjects));
  }
  std::vector<ColorEntry> colors;
  for (guint i = 0; i < count; ++i) {
    const Structure structure = structure_of(gst_value_array_get_value(value, i));
    colors.push_back(parse_color(structure.get()));
  }
  return colors;
}

void write_colors(std::span<const ColorEntry> colors, GValue* value) {
  for (const ColorEntry& entry : colors) {
    GValue text = G_VALUE_INIT;
    g_value_init(&text, G_TYPE_STRING);
    g_value_set_string(&text, entry.text.c_str());
    gst_value_array_append_and_take_value(value, &text);
  }
}

const PropertyTable<ColorSettings>& color_properties() {
  using S = ColorSettings;
  static const PropertyTable<S> table = [] {
    const auto placement = field_at<S, &S::config, &ColorConfig::placement>;
    PropertyTable<S> rows{
        {PropertyName{"colors", "Colours"},
         [](S& settings, GValue* value) { write_colors(settings.colors, value); },
         [](S& settings, const GValue* value) {
           settings.colors = parse_colors(value);
           ++settings.generation;
         },
         When{kPlaying, "; may be changed at any time, replaces all objects on the next buffer"},
         "Colour of each object, <\"hsv,hue-min=340,hue-max=20,saturation-min=0.4,label=cap\","
         "\"rgb,red=20,green=40,blue=200,tolerance=30\",\"box,x=1,y=2,width=30,height=30\">"},
        label_property<S>("objects"),
        device_property(placement),
        stage_property(PropertyName{"color-device", "Colour device"}, "color", placement,
                       kUpToReady, "Device of the colour search (not set: as device)"),
        placement_property<S>()};
    append_fields(rows, field_at<S, &S::config>, color_fields(), kOnNewStream);
    return rows;
  }();
  return table;
}

}  // namespace cltrack::gst
