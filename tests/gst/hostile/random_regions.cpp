// SPDX-License-Identifier: LGPL-2.1-or-later
#include "random_regions.h"

#include <gst/video/gstvideometa.h>

namespace cltrack::test {
namespace {

void append(GValue* array, RandomValues& random, bool is_number) {
  GValue value = G_VALUE_INIT;
  if (is_number) {
    g_value_init(&value, G_TYPE_DOUBLE);
    g_value_set_double(&value, random.chance(0.9f) ? random.between(-100, 300) : random.number());
  } else {
    g_value_init(&value, G_TYPE_STRING);
    g_value_set_static_string(&value, "no number");
  }
  gst_value_array_append_and_take_value(array, &value);
}

void set_array(RandomValues& random, GstStructure* structure, const char* name) {
  GValue array = G_VALUE_INIT;
  g_value_init(&array, GST_TYPE_ARRAY);
  const bool are_numbers = random.chance(0.9f);
  for (int i = random.between(0, 50); i > 0; --i) append(&array, random, are_numbers);
  gst_structure_take_value(structure, name, &array);
}

void set_any_value(RandomValues& random, GstStructure* structure, const char* name) {
  switch (random.between(0, 6)) {
    case 0:
    case 1:
      gst_structure_set(structure, name, G_TYPE_DOUBLE, random.number(), nullptr);
      break;
    case 2:
      gst_structure_set(structure, name, G_TYPE_INT, random.between(-5, 5), nullptr);
      break;
    case 3:
      gst_structure_set(structure, name, G_TYPE_UINT64, random.wide_bits(), nullptr);
      break;
    case 4:
      gst_structure_set(structure, name, G_TYPE_STRING,
                        random.chance(0.2f) ? nullptr : random.utf8_label().c_str(), nullptr);
      break;
    case 5:
      gst_structure_set(structure, name, G_TYPE_POINTER, nullptr, nullptr);
      break;
    default:
      set_array(random, structure, name);
  }
}

GstStructure* random_structure(RandomValues& random) {
  constexpr const char* kNames[] = {"cltrack", "cltrack", "cltrack", "detection", "object_id"};
  constexpr const char* kFields[] = {"id",    "confidence", "age",  "x",         "y",
                                     "width", "height",     "area", "algorithm", "x_min"};
  constexpr const char* kStates[] = {"tracking", "uncertain", "lost", "none", ""};
  GstStructure* structure = gst_structure_new_empty(random.pick(kNames));
  for (const char* field : kFields) {
    if (random.chance(0.7f)) set_any_value(random, structure, field);
  }
  if (random.chance(0.7f)) {
    gst_structure_set(structure, "state", G_TYPE_STRING, random.pick(kStates), nullptr);
  } else {
    set_any_value(random, structure, "state");
  }
  if (random.chance(0.5f)) set_array(random, structure, "trail");
  return structure;
}

guint random_coordinate(RandomValues& random) {
  return random.chance(0.2f) ? random.bits() : static_cast<guint>(random.between(0, 100));
}

void add_region(RandomValues& random, GstBuffer* buffer, const std::string& label) {
  // In a fixed order, which the arguments of a call do not have.
  const guint x = random_coordinate(random);
  const guint y = random_coordinate(random);
  const guint width = random_coordinate(random);
  const guint height = random_coordinate(random);
  GstVideoRegionOfInterestMeta* region =
      gst_buffer_add_video_region_of_interest_meta(buffer, label.c_str(), x, y, width, height);
  region->id = random.chance(0.5f) ? random.between(0, 20) : static_cast<gint>(random.bits());
  if (random.chance(0.05f)) region->roi_type = 0;
  for (const float share : {0.5f, 0.2f}) {
    if (random.chance(share)) {
      gst_video_region_of_interest_meta_add_param(region, random_structure(random));
    }
  }
}

}  // namespace

void add_random_regions(RandomValues& random, GstBuffer* buffer, std::string& description) {
  if (!random.chance(0.4f)) return;
  const bool many = random.chance(0.02f);
  const int count = many ? 500 : random.between(1, 6);
  description.append(", regions: ").append(std::to_string(count));
  for (int i = 0; i < count; ++i) {
    const std::string label = many ? "one of many" : random.label();
    if (!many) description += ' ' + describe_text(label);
    add_region(random, buffer, label);
  }
}

}  // namespace cltrack::test
