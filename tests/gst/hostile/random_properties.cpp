// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_properties.h"

#include <gst/gst.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace cltrack::test {
namespace {

GValue make_array() {
  GValue array = G_VALUE_INIT;
  g_value_init(&array, GST_TYPE_ARRAY);
  return array;
}

void append_text(GValue* array, const char* text) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_STRING);
  g_value_set_string(&value, text);
  gst_value_array_append_and_take_value(array, &value);
}

void append_number(GValue* array, double number) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_DOUBLE);
  g_value_set_double(&value, number);
  gst_value_array_append_and_take_value(array, &value);
}

// Few: what they cost says nothing about what is wrong.
int random_count(RandomValues& random) { return random.chance(0.02f) ? 20 : random.between(0, 3); }

std::string quoted(const std::string& text) {
  GValue value = G_VALUE_INIT;
  g_value_init(&value, G_TYPE_STRING);
  g_value_set_string(&value, text.c_str());
  gchar* serialized = gst_value_serialize(&value);
  std::string result = serialized != nullptr ? serialized : "";
  g_free(serialized);
  g_value_unset(&value);
  return result;
}

GValue random_target(RandomValues& random, bool are_texts) {
  GValue target = make_array();
  const int count = random.chance(0.95f) ? 4 : random.between(0, 7);
  for (int i = 0; i < count; ++i) {
    if (are_texts) {
      append_text(&target, random.chance(0.3f) ? nullptr : random.label().c_str());
    } else {
      append_number(&target, random.chance(0.95f) ? random.between(0, 60) : random.number());
    }
  }
  return target;
}

struct Between {
  int low, high;
};

std::string with_numbers(RandomValues& random, const char* before_first, Between first,
                         const char* before_second, Between second) {
  std::string text = before_first;
  text += std::to_string(random.between(first.low, first.high));
  text += before_second;
  text += std::to_string(random.between(second.low, second.high));
  return text;
}

std::string random_targets_text(RandomValues& random) {
  std::string text = "<";
  for (int i = random_count(random); i > 0; --i) {
    text += text.size() > 1 ? ",<" : "<";
    for (const int least : {-5, -5, 1, 1}) {
      if (text.back() != '<') text += ',';
      text += std::to_string(random.between(least, 60));
    }
    const std::string label = random.chance(0.5f) ? quoted(random.label()) : "";
    if (!label.empty()) text += "," + label;
    text += ">";
  }
  return text + (random.chance(0.05f) ? "" : ">");
}

GValue random_targets_value(RandomValues& random) {
  GValue array = make_array();
  if (random.chance(0.05f)) {
    append_text(&array, "no target");
    return array;
  }
  // A GstValueArray holds values of one type only.
  const bool are_texts = random.chance(0.05f);
  for (int i = random_count(random); i > 0; --i) {
    GValue target = random_target(random, are_texts);
    gst_value_array_append_and_take_value(&array, &target);
  }
  return array;
}

std::string random_color(RandomValues& random) {
  switch (random.between(0, 19)) {
    case 0:
      return "no colour";
    case 1:
      return "";
    case 2:
      return "hsv, value-min=nan";
    case 3:
      return "hsv, hue-min=1e300";
    case 4:
    case 5:
      return "hsv, label=" + quoted(random.label());
    case 6:
    case 7:
    case 8:
      return with_numbers(random, "box, x=", {-20, 100}, ", y=3, height=20, width=", {0, 60});
    case 9:
    case 10:
    case 11:
      return with_numbers(random, "hsv, hue-min=", {-10, 370}, ", hue-max=", {-10, 370});
    case 12:
    case 13:
      return with_numbers(random, "rgb, green=128, blue=128, red=", {-1, 256},
                          ", tolerance=", {-1, 256});
    default:
      return with_numbers(random, "hsv, value-min=0.", {0, 9}, ", label=", {0, 9});
  }
}

GValue random_colors_value(RandomValues& random) {
  GValue array = make_array();
  if (random.chance(0.03f)) {
    for (int i = random.between(250, 260); i > 0; --i) append_text(&array, "hsv");
    return array;
  }
  for (int i = random_count(random); i > 0; --i) {
    append_text(&array, random.chance(0.02f) ? nullptr : random_color(random).c_str());
  }
  return array;
}

// Of what costs time only, or would reach others, a part of the range.
struct Range {
  double min, max;
};
const std::map<std::string_view, Range> kCheap{
    {"threads", {1, 4}},          {"scales", {0, 2}}, {"scan-step", {0.1, 1}},
    {"max-candidates", {1, 200}}, {"fd", {-1, -1}},   {"port", {1, 1}},
    {"flush-timeout", {0, 1e6}}};

struct Value {
  GValue g = G_VALUE_INIT;
  Value() = default;
  explicit Value(GType type) { g_value_init(&g, type); }
  explicit Value(const GValue& taken) : g(taken) {}
  ~Value() { g_value_unset(&g); }
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
};

std::vector<GParamSpec*> properties_of(GObject* object) {
  guint count = 0;
  const std::unique_ptr<GParamSpec*, decltype(&g_free)> specs(
      g_object_class_list_properties(G_OBJECT_GET_CLASS(object), &count), g_free);
  return {specs.get(), specs.get() + count};
}

bool is_settable(const GParamSpec* spec) {
  static const std::set<std::string_view> kNotOurs{"name", "parent", "qos"};
  return (spec->flags & G_PARAM_WRITABLE) != 0 && !kNotOurs.contains(spec->name);
}

bool is_list(const GParamSpec* spec) { return spec->value_type == GST_TYPE_ARRAY; }

std::string text_of(const GValue* value) {
  gchar* text = g_strdup_value_contents(value);
  std::string result = describe_text(text);
  g_free(text);
  return result;
}

// One end of the range, or anything in it.
double random_in(RandomValues& random, const char* name, double min, double max) {
  if (const auto cheap = kCheap.find(name); cheap != kCheap.end()) {
    min = cheap->second.min;
    max = cheap->second.max;
  }
  switch (random.between(0, 7)) {
    case 0:
      return min;
    case 1:
      return max;
    case 2:
      return min + (max - min) * random.between(0, 100) / 100.0;
    default:
      return std::fmin(max, min + random.between(0, 100) * (max - min > 100 ? 1 : 0.01));
  }
}

bool is_polygons(std::string_view name) { return name == "region" || name == "ignore-regions"; }

std::string random_text(RandomValues& random, std::string_view name) {
  if (name.ends_with("device")) {
    constexpr const char* kDevices[] = {"host", "host", "host", "host", "no such device", "99.9"};
    return random.pick(kDevices);
  }
  if (name == "targets-json") {
    constexpr const char* kTargets[] = {
        "",
        "[]",
        "[",
        "7",
        R"({"x":3,"y":4,"width":20,"height":20})",
        R"([{"x":1e40,"y":4,"width":20,"height":20}])",
        R"([{"x":3,"y":4,"width":20,"height":20,"label":"one"},{"x":0,"y":0,"width":9,"height":9}])"};
    return random.pick(kTargets);
  }
  if (is_polygons(name)) {
    constexpr const char* kPolygons[] = {"",
                                         ";",
                                         "0,0",
                                         "0,0 1,0 nan,1",
                                         "0,0 1,0 1,1 0,1",
                                         "0.1,0.2 0.9,0.2 0.5,0.8; 0,0 1,0 0,1",
                                         "0,0 0,0 0,0"};
    return random.pick(kPolygons);
  }
  if (name == "zones") {
    constexpr const char* kZones[] = {"",
                                      "{",
                                      "a: line 0,0.5 1,0.5",
                                      "a: area 0,0 1,0 1,1 0,1; b: line pixels 0,0 9,9 70,3",
                                      "a: area 0,0 1,1 1,0 0,1",
                                      R"({"zones":[{"name":"a","area":[[0,0],[1,0],[1,1]]}]})"};
    return random.chance(0.8f) ? random.pick(kZones) : random.label();
  }
  if (name == "location") return random.chance(0.2f) ? "/nonexistent/file" : "/dev/null";
  if (name == "picture-folder") return random.chance(0.2f) ? "/dev/null/folder" : "";
  if (name == "address") return random.chance(0.5f) ? "127.0.0.1" : "";
  if (name.ends_with("-file")) return random.chance(0.2f) ? "/nonexistent/file" : "";
  if (name == "label-template") {
    constexpr const char* kTemplates[] = {
        "", "{label} #{id} {confidence}%", "{age}{x}", "{", "{?}", "{{}}"};
    return random.chance(0.7f) ? random.pick(kTemplates) : random.label();
  }
  if (name == "template-location" || name == "network") {
    return random.chance(0.2f) ? "/nonexistent/file" : "";
  }
  return random.label();
}

// False if there is no value for such a type.
bool set_any(RandomValues& random, GParamSpec* spec, GValue* value) {
  const char* name = spec->name;
  if (G_IS_PARAM_SPEC_INT(spec)) {
    const auto* range = G_PARAM_SPEC_INT(spec);
    g_value_set_int(value,
                    static_cast<int>(random_in(random, name, range->minimum, range->maximum)));
  } else if (G_IS_PARAM_SPEC_UINT(spec)) {
    const auto* range = G_PARAM_SPEC_UINT(spec);
    g_value_set_uint(value,
                     static_cast<guint>(random_in(random, name, range->minimum, range->maximum)));
  } else if (G_IS_PARAM_SPEC_INT64(spec)) {
    const auto* range = G_PARAM_SPEC_INT64(spec);
    const auto number = static_cast<gint64>(random.wide_bits() >> random.between(0, 63));
    g_value_set_int64(value, std::clamp(number, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_UINT64(spec)) {
    const auto* range = G_PARAM_SPEC_UINT64(spec);
    const guint64 number = random.wide_bits() >> random.between(0, 63);
    const auto cheap = kCheap.find(name);
    const guint64 most =
        cheap != kCheap.end() ? static_cast<guint64>(cheap->second.max) : range->maximum;
    g_value_set_uint64(value, std::clamp(number, range->minimum, most));
  } else if (G_IS_PARAM_SPEC_FLOAT(spec)) {
    const auto* range = G_PARAM_SPEC_FLOAT(spec);
    const double number = random_in(random, name, static_cast<double>(range->minimum),
                                    static_cast<double>(range->maximum));
    g_value_set_float(value, static_cast<float>(number));
  } else if (G_IS_PARAM_SPEC_DOUBLE(spec)) {
    const auto* range = G_PARAM_SPEC_DOUBLE(spec);
    g_value_set_double(value, random_in(random, name, range->minimum, range->maximum));
  } else if (G_IS_PARAM_SPEC_BOOLEAN(spec)) {
    g_value_set_boolean(value, random.chance(0.5f));
  } else if (G_IS_PARAM_SPEC_ENUM(spec)) {
    const GEnumClass* klass = G_PARAM_SPEC_ENUM(spec)->enum_class;
    const int index = random.between(0, static_cast<int>(klass->n_values) - 1);
    g_value_set_enum(value, klass->values[index].value);
  } else if (G_IS_PARAM_SPEC_STRING(spec)) {
    if (!random.chance(0.1f)) g_value_set_string(value, random_text(random, name).c_str());
  } else {
    return false;
  }
  return true;
}

void set_list(RandomValues& random, GObject* object, const char* name, ActionNote& note) {
  const bool is_targets = std::string_view(name) == "targets";
  if (is_targets && random.chance(0.5f)) {
    const std::string text = random_targets_text(random);
    note.say("set targets, as text: " + text.substr(0, 200));
    gst_util_set_object_arg(object, name, text.c_str());
    return;
  }
  const Value value(is_targets ? random_targets_value(random) : random_colors_value(random));
  gchar* text = g_strdup_value_contents(&value.g);
  note.say(std::string("set ") + name + ": " + std::string(text).substr(0, 200));
  g_free(text);
  g_object_set_property(object, name, &value.g);
}

// Empty texts and such that are not UTF-8 may stand for others; JSON and polygons are written in
// one way. Not all templates and zones are taken, and a click chooses, too.
bool is_read_back_as_is(const GParamSpec* spec, const GValue* value) {
  const std::string_view name = spec->name;
  if (name == "chosen-id" || name == "label-template" || name == "zones") return false;
  if (!G_IS_PARAM_SPEC_STRING(spec)) return true;
  if (name == "targets-json" || is_polygons(name)) return false;
  const char* text = g_value_get_string(value);
  return text != nullptr && *text != '\0' && g_utf8_validate(text, -1, nullptr);
}

}  // namespace

void set_random_property(RandomValues& random, GObject* object, ActionNote& note) {
  std::vector<GParamSpec*> settable;
  for (GParamSpec* spec : properties_of(object)) {
    if (is_settable(spec)) settable.push_back(spec);
    // The one that matters most.
    if (is_list(spec)) settable.insert(settable.end(), 5, spec);
  }
  GParamSpec* spec = random.pick(settable);
  if (is_list(spec)) return set_list(random, object, spec->name, note);
  Value value(spec->value_type);
  if (!set_any(random, spec, &value.g)) return;
  note.say(std::string("set ") + spec->name + " to " + text_of(&value.g));
  g_object_set_property(object, spec->name, &value.g);

  if ((spec->flags & G_PARAM_READABLE) == 0 || !is_read_back_as_is(spec, &value.g)) return;
  Value read(spec->value_type);
  g_object_get_property(object, spec->name, &read.g);
  EXPECT_EQ(g_param_values_cmp(spec, &value.g, &read.g), 0)
      << spec->name << " was set to " << text_of(&value.g) << ", and is " << text_of(&read.g);
}

void read_properties(GObject* object) {
  for (const GParamSpec* spec : properties_of(object)) {
    if ((spec->flags & G_PARAM_READABLE) == 0) continue;
    Value value(spec->value_type);
    g_object_get_property(object, spec->name, &value.g);
  }
}

void reset_properties(GObject* object) {
  for (GParamSpec* spec : properties_of(object)) {
    if (!is_settable(spec)) continue;
    Value value(spec->value_type);
    // The four numbers of a box stand for a target once they are set, unless they are 0.
    if (!std::string_view(spec->name).starts_with("object-initial-")) {
      g_param_value_set_default(spec, &value.g);
    }
    g_object_set_property(object, spec->name, &value.g);
  }
}

}  // namespace cltrack::test
