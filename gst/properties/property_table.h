// SPDX-License-Identifier: LGPL-2.1-or-later
// The properties of an element as a table with a row for each, which says what GObject wants to
// know of it and where its value is in a struct of settings.
#pragma once

#include <gst/gst.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "cltrack/config_field.h"
#include "properties/property_text.h"

namespace cltrack::gst {

// Up to which state a property may change, and what its description says of that at its end.
struct When {
  GParamFlags flags;
  const char* note = "";
};

inline constexpr auto kReady = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_NAME} | int{GST_PARAM_MUTABLE_READY});
inline constexpr auto kPlaying = static_cast<GParamFlags>(
    int{G_PARAM_READWRITE} | int{G_PARAM_STATIC_NAME} | int{GST_PARAM_MUTABLE_PLAYING});

inline constexpr When kUpToReady{kReady};
inline constexpr When kOnStart{kReady, "; takes effect when the element starts"};
inline constexpr When kOnNewStream{kReady,
                                   "; takes effect when the element starts, or on a new stream"};
inline constexpr When kWhilePlaying{kPlaying};
inline constexpr When kAtAnyTime{kPlaying, "; may be changed at any time"};
inline constexpr When kOnNextBuffer{
    kPlaying, "; may be changed at any time, takes effect on the next buffer"};

struct PropertyName {
  PropertyName(const char* the_name);  // NOLINT: "scan-step" has the nick "Scan step"
  PropertyName(const char* the_name, const char* the_nick) : name(the_name), nick(the_nick) {}

  const char* name;
  std::string nick;
};

// A range of numbers, both ends included. Ends beyond the limits of the type mean these.
struct Range {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};

// An enumeration of the values 0, 1, ...
struct Choices {
  struct Choice {
    const char* text;
    const char* nick;
  };

  std::string type;
  std::vector<Choice> values;
};

// Registers it at the first call.
GType register_choices(const Choices& choices);

// GObject's functions for a type.
template <auto kSpec, auto kGet, auto kSet>
struct ValueFunctions {
  static constexpr auto spec = kSpec;
  static constexpr auto get = kGet;
  static constexpr auto set = kSet;
};
template <typename T>
struct ValueOf;
template <>
struct ValueOf<bool>
    : ValueFunctions<g_param_spec_boolean, g_value_get_boolean, g_value_set_boolean> {};
template <>
struct ValueOf<int> : ValueFunctions<g_param_spec_int, g_value_get_int, g_value_set_int> {};
template <>
struct ValueOf<unsigned> : ValueFunctions<g_param_spec_uint, g_value_get_uint, g_value_set_uint> {};
template <>
struct ValueOf<std::uint16_t> : ValueOf<unsigned> {};
template <>
struct ValueOf<std::int64_t>
    : ValueFunctions<g_param_spec_int64, g_value_get_int64, g_value_set_int64> {};
template <>
struct ValueOf<std::uint64_t>
    : ValueFunctions<g_param_spec_uint64, g_value_get_uint64, g_value_set_uint64> {};
template <>
struct ValueOf<float> : ValueFunctions<g_param_spec_float, g_value_get_float, g_value_set_float> {};
template <>
struct ValueOf<double>
    : ValueFunctions<g_param_spec_double, g_value_get_double, g_value_set_double> {};
template <>
struct ValueOf<std::string>
    : ValueFunctions<g_param_spec_string, g_value_get_string, g_value_set_string> {
  static const char* raw(const std::string& text) { return text.c_str(); }
};
template <>
struct ValueOf<std::optional<std::string>> : ValueOf<std::string> {
  static const char* raw(const std::optional<std::string>& text) {
    return text ? text->c_str() : nullptr;
  }
};

// A row. `set` throws Error for a value that GObject lets pass and that is not allowed; the
// settings are then as they were. Without `get` the element has the value.
template <typename Settings>
struct Property {
  GParamSpec* spec = nullptr;  // of a class that is never finalised
  std::function<void(Settings&, const GValue*)> set = {};
  std::function<void(Settings&, GValue*)> get = {};

  // A property that functions read from the settings and write there; the type of the result of
  // `read` is that of the property. The default is that of new settings.
  template <std::invocable<Settings&> Read, std::invocable<Settings&, const GValue*> Write>
  Property(const PropertyName& name, Read read, Write write, const When& when,
           const std::string& blurb, Range range = {})
      : set(write) {
    using T = std::decay_t<std::invoke_result_t<Read, Settings&>>;
    const auto make = [&](auto... values) {
      return ValueOf<T>::spec(name.name, name.nick.c_str(), (blurb + when.note).c_str(), values...,
                              when.flags);
    };
    Settings defaults;
    const T initial = read(defaults);
    if constexpr (requires { ValueOf<T>::raw(initial); }) {
      spec = make(ValueOf<T>::raw(initial));
      get = [read](Settings& settings, GValue* value) {
        ValueOf<T>::set(value, ValueOf<T>::raw(read(settings)));
      };
    } else {
      if constexpr (std::same_as<T, bool>) {
        spec = make(initial);
      } else {
        using Limits = std::numeric_limits<T>;
        const bool is_limited = range.most < static_cast<double>(Limits::max());
        spec = make(static_cast<T>(range.least),
                    is_limited ? static_cast<T>(range.most) : Limits::max(), initial);
      }
      get = [read](Settings& settings, GValue* value) { ValueOf<T>::set(value, read(settings)); };
    }
  }

  // A member.
  template <std::invocable<Settings&> Member>
  Property(const PropertyName& name, Member member, const When& when, const std::string& blurb,
           Range range = {})
      : Property(
            name, member,
            [member](Settings& settings, const GValue* value) {
              using T = std::decay_t<std::invoke_result_t<Member, Settings&>>;
              member(settings) = static_cast<T>(ValueOf<T>::get(value));
            },
            when, blurb, range) {}

  // A text of which the empty one is none.
  Property(const PropertyName& name, std::string& (*member)(Settings&), const When& when,
           const std::string& blurb, std::string (*parse)(const GValue*) = string_of)
      : Property(
            name,
            [member](Settings& settings) {
              const std::string& text = member(settings);
              return text.empty() ? std::nullopt : std::optional(text);
            },
            [member, parse](Settings& settings, const GValue* value) {
              member(settings) = parse(value);
            },
            when, blurb) {}

  // A member that is an enumeration, or the number of a choice.
  template <std::invocable<Settings&> Member>
  Property(const PropertyName& name, Member member, const Choices& choices, const When& when,
           const std::string& blurb)
      : set([member](Settings& settings, const GValue* value) {
          auto& choice = member(settings);
          choice = static_cast<std::decay_t<decltype(choice)>>(g_value_get_enum(value));
        }),
        get([member](Settings& settings, GValue* value) {
          g_value_set_enum(value, static_cast<int>(member(settings)));
        }) {
    Settings defaults;
    spec = g_param_spec_enum(name.name, name.nick.c_str(), (blurb + when.note).c_str(),
                             register_choices(choices), static_cast<int>(member(defaults)),
                             when.flags);
  }

  // A GST_TYPE_ARRAY, empty at first.
  template <std::invocable<Settings&, GValue*> Read, std::invocable<Settings&, const GValue*> Write>
  Property(const PropertyName& name, Read read, Write write, const When& when,
           const std::string& blurb)
      : spec(gst_param_spec_array(name.name, name.nick.c_str(), (blurb + when.note).c_str(),
                                  nullptr, when.flags)),
        set(write),
        get(read) {}

  // A GstStructure that the element makes.
  Property(const PropertyName& name, const std::string& blurb)
      : spec(g_param_spec_boxed(
            name.name, name.nick.c_str(), blurb.c_str(), GST_TYPE_STRUCTURE,
            static_cast<GParamFlags>(int{G_PARAM_READABLE} | int{G_PARAM_STATIC_NAME}))) {}
};

// The id of a property is the place of its row, from 1.
template <typename Settings>
using PropertyTable = std::vector<Property<Settings>>;

template <typename Settings>
void install_properties(GObjectClass* klass, const PropertyTable<Settings>& table) {
  guint id = 0;
  for (const Property<Settings>& row : table) {
    g_object_class_install_property(klass, ++id, row.spec);
  }
}

template <typename Settings>
void set_property(const PropertyTable<Settings>& table, Settings& settings, guint id,
                  const GValue* value) {
  table[id - 1].set(settings, value);
}

// False if the element has the value.
template <typename Settings>
bool get_property(const PropertyTable<Settings>& table, Settings& settings, guint id,
                  GValue* value) {
  if (!table[id - 1].get) return false;
  table[id - 1].get(settings, value);
  return true;
}

// Rows for the fields of a tracker's config that are properties.
template <typename Settings, typename Config>
void append_fields(PropertyTable<Settings>& table, Config& (*config)(Settings&),
                   std::span<const ConfigField<Config>> fields, const When& when) {
  for (const ConfigField<Config>& field : fields) {
    if (field.property == nullptr) continue;
    std::string blurb = field.blurb;
    if (field.unit[0] != '\0') blurb.append(" (").append(field.unit).append(")");
    const PropertyName name(field.property);
    if (!field.choices.empty()) {
      Choices choices{"GstClTracker" + name.nick, {}};
      for (const char* choice : field.choices) choices.values.push_back({choice, choice});
      const auto number = std::get<typename ConfigField<Config>::Int>(field.member);
      const auto member = [config, number](Settings& of) -> int& { return number(config(of)); };
      table.emplace_back(name, member, choices, when, blurb);
      continue;
    }
    std::visit(
        [&]<typename T>(T& (*field_member)(Config&)) {
          const auto member = [config, field_member](Settings& settings) -> T& {
            return field_member(config(settings));
          };
          table.emplace_back(name, member, when, blurb, Range{field.least, field.most});
        },
        field.member);
  }
}

}  // namespace cltrack::gst
