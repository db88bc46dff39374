// SPDX-License-Identifier: LGPL-2.1-or-later
// Fields of a config as properties, a line in a table each. Defaults are those of the config.
#pragma once

#include <gst/gst.h>

#include <span>
#include <variant>

namespace cltrack::gst {

template <typename Config>
struct Setting {
  struct Float {
    float Config::*field;
    float min, max;
  };
  struct Int {
    int Config::*field;
    int min, max;
  };
  const char* name;
  const char* nick;
  const char* blurb;
  std::variant<Float, Int> range;
};

// The properties have the ids first_id, first_id + 1, ... and act when the element starts.
template <typename Config>
void install_settings(GObjectClass* klass, guint first_id,
                      std::span<const Setting<Config>> settings) {
  constexpr auto flags = static_cast<GParamFlags>(G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                  GST_PARAM_MUTABLE_READY);
  const Config defaults;
  guint id = first_id;
  for (const Setting<Config>& setting : settings) {
    GParamSpec* spec = nullptr;
    if (const auto* real = std::get_if<typename Setting<Config>::Float>(&setting.range)) {
      spec = g_param_spec_float(setting.name, setting.nick, setting.blurb, real->min, real->max,
                                defaults.*real->field, flags);
    } else {
      const auto& whole = std::get<typename Setting<Config>::Int>(setting.range);
      spec = g_param_spec_int(setting.name, setting.nick, setting.blurb, whole.min, whole.max,
                              defaults.*whole.field, flags);
    }
    g_object_class_install_property(klass, id++, spec);
  }
}

// Both return false if the id is none of these.
template <typename Config>
bool set_setting(Config& config, guint id, guint first_id, const GValue* value,
                 std::span<const Setting<Config>> settings) {
  if (id < first_id || id - first_id >= settings.size()) return false;
  const auto& range = settings[id - first_id].range;
  if (const auto* real = std::get_if<typename Setting<Config>::Float>(&range)) {
    config.*real->field = g_value_get_float(value);
  } else {
    config.*std::get<typename Setting<Config>::Int>(range).field = g_value_get_int(value);
  }
  return true;
}

template <typename Config>
bool get_setting(const Config& config, guint id, guint first_id, GValue* value,
                 std::span<const Setting<Config>> settings) {
  if (id < first_id || id - first_id >= settings.size()) return false;
  const auto& range = settings[id - first_id].range;
  if (const auto* real = std::get_if<typename Setting<Config>::Float>(&range)) {
    g_value_set_float(value, config.*real->field);
  } else {
    g_value_set_int(value, config.*std::get<typename Setting<Config>::Int>(range).field);
  }
  return true;
}

}  // namespace cltrack::gst
