// SPDX-License-Identifier: LGPL-2.1-or-later
// Properties for the parameters of a tracker's config: names, ranges and descriptions come from its
// table of ConfigField, defaults from the config.
#pragma once

#include <gst/gst.h>

#include <cctype>
#include <deque>
#include <limits>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cltrack/config_field.h"
#include "properties/property_text.h"

namespace cltrack::gst {

// "scan-step" as "Scan step".
inline std::string property_nick(const char* property) {
  std::string nick = property;
  for (char& c : nick) {
    if (c == '-') c = ' ';
  }
  nick[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(nick[0])));
  return nick;
}

// The enumeration behind a property with these choices; registered once.
inline GType choice_type(const char* property, std::span<const char* const> choices) {
  const std::string name = "GstClTracker" + property_nick(property);
  if (const GType known = g_type_from_name(name.c_str())) return known;
  static std::deque<std::vector<GEnumValue>> all;  // as long as the process: GObject refers to them
  std::vector<GEnumValue>& values = all.emplace_back();
  for (const char* choice : choices) {
    values.push_back({static_cast<int>(values.size()), choice, choice});
  }
  values.push_back({0, nullptr, nullptr});
  return register_enum(name.c_str(), values.data());
}

// The property of one field. `when` says when a change acts.
template <typename Config>
GParamSpec* make_config_property(const ConfigField<Config>& field, const char* when) {
  constexpr auto flags =
      static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_NAME | GST_PARAM_MUTABLE_READY);
  std::string text = field.blurb;
  if (field.unit[0] != '\0') text.append(" (").append(field.unit).append(")");
  text.append("; ").append(when);
  const std::string nick = property_nick(field.property);
  Config defaults;
  if (const auto* real = std::get_if<typename ConfigField<Config>::Float>(&field.member)) {
    return g_param_spec_float(field.property, nick.c_str(), text.c_str(),
                              static_cast<float>(field.least), static_cast<float>(field.most),
                              (*real)(defaults), flags);
  }
  if (const auto* whole = std::get_if<typename ConfigField<Config>::Int>(&field.member)) {
    if (!field.choices.empty()) {
      return g_param_spec_enum(field.property, nick.c_str(), text.c_str(),
                               choice_type(field.property, field.choices), (*whole)(defaults),
                               flags);
    }
    return g_param_spec_int(field.property, nick.c_str(), text.c_str(),
                            static_cast<int>(field.least), static_cast<int>(field.most),
                            (*whole)(defaults), flags);
  }
  const auto& truth = std::get<typename ConfigField<Config>::Bool>(field.member);
  return g_param_spec_boolean(field.property, nick.c_str(), text.c_str(), truth(defaults), flags);
}

// Installs a property for each field that has one, with the ids first_id, first_id + 1, ...
template <typename Config>
void install_config_properties(GObjectClass* klass, guint first_id,
                               std::span<const ConfigField<Config>> fields, const char* when) {
  for (const ConfigField<Config>& field : fields) {
    if (field.property == nullptr) continue;
    g_object_class_install_property(klass, first_id++, make_config_property(field, when));
  }
}

// The field of the property `id`; null if it is none of those.
template <typename Config>
const ConfigField<Config>* find_config_property(guint id, guint first_id,
                                                std::span<const ConfigField<Config>> fields) {
  for (const ConfigField<Config>& field : fields) {
    if (field.property != nullptr && first_id++ == id) return &field;
  }
  return nullptr;
}

// Both return false if `id` is none of those properties.
template <typename Config>
bool set_config_property(Config& config, guint id, guint first_id, const GValue* value,
                         std::span<const ConfigField<Config>> fields) {
  const ConfigField<Config>* field = find_config_property(id, first_id, fields);
  if (field == nullptr) return false;
  if (const auto* real = std::get_if<typename ConfigField<Config>::Float>(&field->member)) {
    (*real)(config) = g_value_get_float(value);
  } else if (const auto* whole = std::get_if<typename ConfigField<Config>::Int>(&field->member)) {
    (*whole)(config) = field->choices.empty() ? g_value_get_int(value) : g_value_get_enum(value);
  } else {
    std::get<typename ConfigField<Config>::Bool>(field->member)(config) =
        g_value_get_boolean(value) != FALSE;
  }
  return true;
}

template <typename Config>
bool get_config_property(const Config& config, guint id, guint first_id, GValue* value,
                         std::span<const ConfigField<Config>> fields) {
  const ConfigField<Config>* field = find_config_property(id, first_id, fields);
  if (field == nullptr) return false;
  Config copy = config;  // field members are not const
  if (const auto* real = std::get_if<typename ConfigField<Config>::Float>(&field->member)) {
    g_value_set_float(value, (*real)(copy));
  } else if (const auto* whole = std::get_if<typename ConfigField<Config>::Int>(&field->member)) {
    if (field->choices.empty()) {
      g_value_set_int(value, (*whole)(copy));
    } else {
      g_value_set_enum(value, (*whole)(copy));
    }
  } else {
    g_value_set_boolean(value, std::get<typename ConfigField<Config>::Bool>(field->member)(copy));
  }
  return true;
}

}  // namespace cltrack::gst
