// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_lists.h"

#include <gst/gst.h>

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

}  // namespace

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

}  // namespace cltrack::test
